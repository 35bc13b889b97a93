"""The pictures in docs/images: the rating page of both demo campaigns, on a desktop and a phone,
light and dark; and the dashboards.

    python -m benchmarks.screenshots [--out docs/images]

Starts a site of its own with the demo, opens it in Chromium and rates up to the point that the
pictures show; nothing else is touched.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from bootstrap.programs import find_chromium
from tests.journeys.conftest import FLAGS, Person, sign_in
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


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--out", type=Path, default=Path("docs/images"))
    folder: Path = options.parse_args().out
    with tempfile.TemporaryDirectory() as data, running_site(Path(data), start=False) as site:
        rater, admin = load_demo(site)
        site.start_web()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
            for slug, device, theme in product(CAMPAIGNS, ("", "phone"), ("light", "dark")):
                path = folder / name_of(slug, device, theme)
                take(browser, site, rater, slug, PHONE if device else DESKTOP, theme, path)
                report(path)
            for path in take_dashboards(browser, site, admin, folder):
                report(path)
            browser.close()


def report(path: Path) -> None:
    print(f"{path}  {path.stat().st_size / 1000:.0f} kB", flush=True)
    assert path.stat().st_size <= MAX_BYTES, f"{path} is too large for a page"


def name_of(slug: str, device: str, theme: str) -> str:
    """As in rating.png, rating-phone-dark.png or rating-cap.png."""
    parts = ["rating", slug if slug != "ae" else "", device, theme if theme != "light" else ""]
    return "-".join(part for part in parts if part) + ".png"


def load_demo(site: Site) -> tuple[Person, Person]:
    """The demo with its rater, who may begin without consent and calibration here, and its admin.

    Every campaign has been looked at.
    """
    logins = json.loads(site.manage("seed_demo", "--json"))["logins"]
    site.python(
        "from tasks.models import Campaign\n"
        "from tasks.agreement.workflow.assessment import assess\n"
        "Campaign.objects.update(consent_text=None, requires_calibration=False)\n"
        "for campaign in Campaign.objects.all(): assess(campaign=campaign)"
    )
    people = {each["username"]: Person(each["username"], each["password"]) for each in logins}
    return people["rater"], people["admin"]


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
        # all of the page: a picture larger than the window would be one of a mouse user's page
        page.set_viewport_size(
            {"width": 360, "height": page.evaluate("document.documentElement.scrollHeight")}
        )
    page.screenshot(path=path)
    context.close()


if __name__ == "__main__":
    main()
