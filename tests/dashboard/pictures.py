"""Pictures of every page for people to look at: python -m tests.dashboard.pictures FOLDER [--locale fr-FR]."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.dashboard.conftest import QUIET, chromium_here
from tests.dashboard.fake import FakeCompanion
from tests.dashboard.full_house import PAGES, full_house, settle

WIDTHS = {360: 800, 1280: 1000}  # of a phone and of a screen, and how high
THEMES = ("light", "dark")


def take(folder: Path, locale: str) -> int:
    """Keeps a picture of each page, width and theme in a folder; how many. Raises playwright.sync_api.Error."""
    folder.mkdir(parents=True, exist_ok=True)
    taken = 0
    with (
        tempfile.TemporaryDirectory() as kept,
        full_house(FakeCompanion(), Path(kept)) as house,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium_here(), args=QUIET)
        for theme in THEMES:
            page = browser.new_page(locale=locale)
            page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
            for path in PAGES:
                page.goto(house.url + path)
                settle(page)
                for width, height in WIDTHS.items():
                    page.set_viewport_size({"width": width, "height": height})
                    name = path.strip("/").replace("/", "-") or "match"
                    page.screenshot(path=folder / f"{name}-{width}-{theme}.png")
                    taken += 1
        browser.close()
    return taken


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Pictures of every page, for people to look at.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--locale", default="fr-FR", help="French words are the longer ones")
    args = parser.parse_args(argv)
    print(f"{take(args.folder, args.locale)} pictures in {args.folder}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
