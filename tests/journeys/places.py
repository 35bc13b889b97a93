"""A campaign in which every page has something to show, as a browser finds it."""

import json
from dataclasses import dataclass

from tests.journeys.conftest import Person
from tests.site import Site


@dataclass(frozen=True)
class Places:
    """`ids` are what addresses have in braces."""

    admin: Person
    rater: Person
    ids: dict[str, str]

    def address(self, path: str) -> str:
        return path.format(**self.ids)


def filled(site: Site, slug: str, admin: Person, rater: Person) -> dict[str, str]:
    """Work on every page of the campaign by its admin and a rater; the ids for addresses."""
    people = (admin.username, rater.username, str(site.folder / f"release-{slug}"))
    printed = site.python(
        "import json\nfrom tests.journeys.filling import fill\n"
        f"print(json.dumps(fill({slug!r}, *{people!r})))"
    )
    ids: dict[str, str] = json.loads(printed.splitlines()[-1])
    return ids
