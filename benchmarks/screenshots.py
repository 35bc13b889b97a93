"""The pictures in docs/images: the rating page of both demo campaigns, on a desktop and a phone,
light and dark; and the dashboards.

    python -m benchmarks.screenshots [--out docs/images]
    python -m benchmarks.screenshots --every FOLDER [--dark] [--only NAME …]

The second takes every page of the site in three sizes, for people to look at side by side in
FOLDER/index.html. Either starts a site of its own with the demo and opens it in Chromium; nothing
else is touched.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from bootstrap.programs import find_chromium
from tests.journeys.addresses import OTHER_STATES, PAGES
from tests.journeys.conftest import FLAGS, Person, sign_in
from tests.journeys.places import Places, filled
from tests.site import Site, running_site

DESKTOP: dict[str, Any] = {"viewport": {"width": 1100, "height": 820}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}
# what is pressed before the picture is taken
CAMPAIGNS = {"ae": "nn", "cap": "5"}
# by the last part of their addresses: the campaign whose dashboard is shown
DASHBOARDS = {
    "agreement/": "ae",
    "agreement/labels/": "cap",
    "agreement/raters/": "ae",
    "agreement/classes/": "cap",
    "agreement/systems/": "ae",
    "agreement/time/": "ae",
    "agreement/more/": "ae",
    "adjudicate/": "cap",
}
MAX_BYTES = 190_000

# by name: the windows, and whose pages are taken in them
SIZES: dict[str, dict[str, Any]] = {
    "1280x900": {"viewport": {"width": 1280, "height": 900}},
    "1366x650": {"viewport": {"width": 1366, "height": 650}},
    "360x740": PHONE,
}
EVERY_PAGE: dict[str, dict[str, str]] = {
    "nobody": {"login": "/login/"},
    "admin": {
        **PAGES,
        **{f"state-{number}": path for number, path in enumerate(OTHER_STATES, 1)},
        "adjudicate-item": "/c/demo-cap/adjudicate/{disputed}/",
        "calibration": "/c/demo-cap/calibration/",
        "labels-of-classes": "/c/demo-cap/agreement/labels/",
        "classes-of-classes": "/c/demo-cap/agreement/classes/",
        "rate-classes": "/c/demo-cap/rate/",
        "evaluation-of-demo": "/c/{slug}/lab/{evaluated}/",
    },
    "researcher": {"consent": "/c/demo-cap/consent/"},
    "rater": {
        "rater-home": "/",
        "rater-rate": "/c/{slug}/rate/",
        "rater-history": "/c/{slug}/history/",
        "rater-guidelines": "/c/{slug}/guidelines/",
    },
}
_LATER = """
import json
from tasks.jobs.work import run_job
from tasks.models import Campaign, Job
from tasks.people.workflow.members import give_consent, publish_consent_text
from tasks.votes.workflow import show_all_votes
from tests.evaluations import plan, run_job as evaluate

equivalence, classes = (Campaign.objects.get(slug=slug) for slug in ("demo-ae", "demo-cap"))
for job in equivalence.jobs.filter(parameters__name__in=("em", "f1")):
    run_job(job.pk)
evaluate(equivalence, plan(metrics=("em", "f1"), sections=("data", "metric_quality", "systems")))
text = publish_consent_text(campaign=classes, text="Your answers are *published*.")
for campaign in (equivalence, classes):
    admin = campaign.memberships.get(user__username="admin")
    show_all_votes(member=admin)
give_consent(membership=admin, version=text.version)
labels = {}
for item, label in classes.items.values_list("pk", "ratings__outcome"):
    labels.setdefault(item, set()).add(label)
print(json.dumps({
    "evaluated": equivalence.evaluations.latest("pk").pk,
    "disputed": min(item for item, said in labels.items() if len(said) > 1),
}))
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--out", type=Path, default=Path("docs/images"))
    options.add_argument("--every", type=Path, metavar="FOLDER", help="every page, into FOLDER")
    options.add_argument("--dark", action="store_true", help="every page in the dark theme too")
    options.add_argument("--only", nargs="+", metavar="NAME", help="of every page, these")
    chosen = options.parse_args()
    if chosen.every is None:
        take_images(chosen.out)
    else:
        themes = ("light", "dark") if chosen.dark else ("light",)
        take_every_page(chosen.every, themes, chosen.only)


def take_images(folder: Path) -> None:
    with opened_demo() as (browser, site, people):
        site.start_web()
        for slug, device, theme in product(CAMPAIGNS, ("", "phone"), ("light", "dark")):
            path = folder / name_of(slug, device, theme)
            take(browser, site, people["rater"], slug, PHONE if device else DESKTOP, theme, path)
            report(path)
        for path in take_dashboards(browser, site, people["admin"], folder):
            report(path)


def take_every_page(folder: Path, themes: tuple[str, ...], only: list[str] | None) -> None:
    """Pictures named page-size-theme.png and index.html; of the pages in `only`, if not None."""
    folder.mkdir(parents=True, exist_ok=True)
    with opened_demo() as (browser, site, people):
        ids = filled(site, "demo-ae", people["admin"], people["rater"])
        places = Places(
            people["admin"], people["rater"], {**ids, **json.loads(site.python(_LATER))}
        )
        site.start_web()
        for (person, pages), theme, (size, device) in product(
            EVERY_PAGE.items(), themes, SIZES.items()
        ):
            context = browser.new_context(base_url=site.address, color_scheme=theme, **device)
            page = context.new_page()
            if person in people:
                page.goto("/login/")
                sign_in(page, people[person])
            for name, address in pages.items():
                if only is None or name in only:
                    page.goto(places.address(address), wait_until="load")
                    picture(page, folder / f"{name}-{size}-{theme}.png")
            context.close()
            print(person, theme, size, flush=True)
    (folder / "index.html").write_text(index(folder, themes), encoding="utf-8")


def index(folder: Path, themes: tuple[str, ...]) -> str:
    """A page that shows the pictures in the folder page by page, the sizes side by side."""
    rows = []
    for pages, theme in product(EVERY_PAGE.values(), themes):
        for name, address in pages.items():
            pictures = [
                f'<a href="{file}"><img src="{file}" alt="{name} at {size}" width="{width}"'
                ' loading="lazy"></a>'
                for size, width in zip(SIZES, (560, 560, 270), strict=True)
                if (folder / (file := f"{name}-{size}-{theme}.png")).exists()
            ]
            if pictures:
                rows.append(f"<h2>{name}, {theme}: {escape(address)}</h2>\n" + "\n".join(pictures))
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Every page</title>\n'
        "<style>img { border: 1px solid gray; vertical-align: top }</style>\n"
        "<h1>Every page</h1>\n" + "\n".join(rows) + "\n</html>\n"
    )


@contextmanager
def opened_demo() -> Iterator[tuple[Browser, Site, dict[str, Person]]]:
    """A browser, and a site with the demo, which is to be started; its people by their names."""
    with tempfile.TemporaryDirectory() as data, running_site(Path(data), start=False) as site:
        people = load_demo(site)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
            yield browser, site, people
            browser.close()


def report(path: Path) -> None:
    print(f"{path}  {path.stat().st_size / 1000:.0f} kB", flush=True)
    assert path.stat().st_size <= MAX_BYTES, f"{path} is too large for a page"


def name_of(slug: str, device: str, theme: str) -> str:
    parts = ["rating", slug if slug != "ae" else "", device, theme if theme != "light" else ""]
    return "-".join(part for part in parts if part) + ".png"


def load_demo(site: Site) -> dict[str, Person]:
    """The demo's people, who may begin without consent and calibration here.

    Every campaign has been looked at.
    """
    logins = json.loads(site.manage("seed_demo", "--json"))["logins"]
    site.python(
        "from tasks.models import Campaign\n"
        "from tasks.agreement.workflow.assessment import assess\n"
        "Campaign.objects.update(consent_text=None, requires_calibration=False)\n"
        "for campaign in Campaign.objects.all(): assess(campaign=campaign)"
    )
    return {each["username"]: Person(each["username"], each["password"]) for each in logins}


def take_dashboards(browser: Browser, site: Site, admin: Person, folder: Path) -> Iterator[Path]:
    """What an admin sees of each page on a desktop."""
    context = browser.new_context(base_url=site.address, color_scheme="light", **DESKTOP)
    page = context.new_page()
    page.goto("/login/")
    sign_in(page, admin)
    for address, slug in DASHBOARDS.items():
        page.goto(f"/c/demo-{slug}/{address}", wait_until="load")
        path = folder / f"{address.strip('/').rpartition('/')[2]}.png"
        page.screenshot(path=path)
        yield path
    context.close()


def take(
    browser: Browser,
    site: Site,
    rater: Person,
    slug: str,
    device: dict[str, Any],
    theme: str,
    path: Path,
) -> None:
    context = browser.new_context(base_url=site.address, color_scheme=theme, **device)  # type: ignore[arg-type]  # light or dark
    page = context.new_page()
    # every picture starts from an empty form
    page.route("**/draft/", lambda route: route.fulfill(status=204))
    with page.expect_response("**/following/"):
        page.goto(f"/login/?next=/c/demo-{slug}/rate/")
        sign_in(page, rater)
    for key in CAMPAIGNS[slug]:
        page.keyboard.press(key)
    page.locator(".saved:text('Draft saved')").wait_for()
    page.evaluate("document.activeElement.blur()")
    if "is_mobile" in device:
        picture(page, path)
    else:
        page.screenshot(path=path)
    context.close()


def picture(page: Page, path: Path) -> None:
    window = page.viewport_size
    assert window is not None
    if window["width"] != PHONE["viewport"]["width"]:
        page.screenshot(path=path, full_page=True)
        return
    # a picture larger than the window would be one of a mouse user's page
    height: int = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({**window, "height": height})
    page.screenshot(path=path)
    page.set_viewport_size(window)


if __name__ == "__main__":
    main()
