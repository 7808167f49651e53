"""The documentation as a site: no serious fault of accessibility, on a wide screen and on a phone."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.browser

PAGES = (
    "index", "getting-started", "tutorial-systems", "presets", "languages", "performance", "python/results",
    "commands/score",
)  # fmt: skip
"""At least one page of each kind."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site."""
    for needed in ("furo", "myst_parser", "sphinx_click", "sphinx_copybutton", "sphinx_llms_txt"):
        pytest.importorskip(needed, reason="needs the extra docs")
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, "-m", "sphinx", "-q", str(ROOT / "docs"), str(folder)], check=True)
    return folder


@pytest.mark.parametrize("width", [1280, 1440])
def test_where_one_is(site, browser, width):
    """The sidebar marks the page, in view, and a long page shows its contents, in it or beside it."""
    size = {"width": width, "height": 700, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get((site / "maintaining.html").as_uri())
    here = browser.find_element("css selector", ".sidebar-tree [aria-current=page]")
    assert here.text == "Maintaining"
    place, scroller = here.rect, browser.find_element("css selector", ".sidebar-scroll").rect
    assert scroller["y"] <= place["y"] <= scroller["y"] + scroller["height"] - place["height"]
    shown = [one for one in browser.find_elements("css selector", ".contents-here, .toc-drawer") if one.is_displayed()]
    assert len(shown) == 1
    assert "Mutation testing" in shown[0].text


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (400, "light"), (400, "dark")])
def test_accessibility(site, browser, axe, width, scheme):
    """axe-core finds nothing serious or critical on a page of each kind, and no page is wider than the screen."""
    size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = {"media": "", "features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    for page in PAGES:
        browser.get((site / f"{page}.html").as_uri())
        browser.execute_script(axe)
        found = browser.execute_async_script(
            "const done = arguments[0];"
            "axe.run({resultTypes: ['violations']}).then((result) => done(result.violations));"
        )
        serious = [rule["id"] for rule in found if rule["impact"] in ("serious", "critical")]
        assert (page, serious) == (page, [])
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
