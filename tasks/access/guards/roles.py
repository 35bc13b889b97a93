"""Whom a page or a call of a campaign is for."""

from tasks.models import Role

ADMIN = (Role.ADMIN,)
RESULTS = (Role.RESEARCHER, Role.ADMIN)
MEMBERS = tuple(Role)
