"""Whom a page or a call of a campaign is for; the modules check it."""

from tasks.models import Role

ADMIN = (Role.ADMIN,)
RESULTS = (Role.RESEARCHER, Role.ADMIN)
MEMBERS = tuple(Role)
