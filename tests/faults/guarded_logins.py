"""The site as it is, but for quick hashes."""

from annotation_site.wsgi import application
from tests.faults.logins import quick_hashes

__all__ = ["application"]

quick_hashes()
