"""The site as it is, but for quick hashes."""

from annotation_site.wsgi import application
from tests.faults.logins import no_waits_between_codes, quick_hashes

__all__ = ["application"]

quick_hashes()
no_waits_between_codes()
