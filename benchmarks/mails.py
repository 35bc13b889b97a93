"""Every mail of the site in every language, as a mail program shows it: on paper's width and on a
telephone, light and dark.

    python -m benchmarks.mails FOLDER

FOLDER gets the HTML and the text of each mail, its pictures, and index.html with all of them.
"""

import argparse
import os
from html import escape
from itertools import product
from pathlib import Path

import django
from playwright.sync_api import sync_playwright

from bootstrap.programs import find_chromium
from tests.journeys.conftest import FLAGS

WIDTHS = (600, 360)
SCHEMES = ("light", "dark")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_site.settings")
    os.environ.setdefault("TOMAHTO_SITE_URL", "https://tomahto.example.org")
    django.setup()
    folder.mkdir(parents=True, exist_ok=True)
    names = _write(folder)
    _photograph(folder, names)
    print(folder / "index.html")


def _write(folder: Path) -> list[str]:
    from django.conf import settings

    from tests.mails import sample_mails

    mails = {
        f"{name}-{language}": message
        for language, _title in settings.LANGUAGES
        for name, message in sample_mails(language).items()
    }
    for name, message in mails.items():
        (folder / f"{name}.html").write_text(str(message.alternatives[0][0]))
        (folder / f"{name}.txt").write_text(f"{message.subject}\n\n{message.body}")
    return list(mails)


def _photograph(folder: Path, names: list[str]) -> None:
    pictures = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        for name, width, scheme in product(names, WIDTHS, SCHEMES):
            page = browser.new_page(
                viewport={"width": width, "height": 400},
                color_scheme="dark" if scheme == "dark" else "light",
            )
            page.goto((folder / f"{name}.html").resolve().as_uri())
            pictures.append(f"{name}-{width}-{scheme}.png")
            page.screenshot(path=folder / pictures[-1], full_page=True)
            page.close()
        browser.close()
    images = "\n".join(f'<img src="{escape(name)}" alt="{escape(name)}">' for name in pictures)
    (folder / "index.html").write_text(f"<!DOCTYPE html>\n<title>Mails</title>\n{images}\n")


if __name__ == "__main__":
    main()
