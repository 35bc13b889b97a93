"""Short names of campaigns that nobody has thought of."""

from itertools import chain, count

from django.utils.text import slugify

from tasks.models import Campaign

LONGEST = 60


def free_slug(title: str, otherwise: str) -> str:
    """A short name from the title that no campaign has; from `otherwise` where a title has no
    letters that a short name may hold. Taken ones get a number."""
    words = slugify(title).replace("_", "-") or otherwise or "campaign"
    stem = "-".join(filter(None, words.split("-")))[: LONGEST - 4].strip("-")
    taken = set(Campaign.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    candidates = chain([stem], (f"{stem}-{number}" for number in count(2)))
    return next(slug for slug in candidates if slug not in taken)
