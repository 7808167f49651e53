"""A headless Chromium that opens pages from disk; it must be installed, with its driver."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from meteorlib import Scorer
from meteorlib.analysis.significance import compare_systems
from meteorlib.reports.html import html_report
from tests.conftest import ROOT

FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1300,1000")


def lines(name):
    """The segments of a file of examples."""
    return (ROOT / "examples" / name).read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="session")
def browser():
    """The browser."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium, which the extra dev has")
    from selenium.webdriver.chrome.service import Service

    driver, chromium = shutil.which("chromedriver"), shutil.which("chromium")
    if driver is None or chromium is None:
        pytest.skip("chromium and chromedriver are not installed (apt-get install chromium chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    started = webdriver.Chrome(options=options, service=Service(driver))
    yield started
    started.quit()


class Opened:
    """A page in the browser."""

    patience = 20
    """Seconds to wait for a script."""

    def __init__(self, browser, address):
        self.browser = browser
        self.address = address

    def at(self, fragment="", width=1300, scheme="light"):
        """Load the page anew at this address, in a window of this width and color scheme."""
        size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
        media = [{"name": "prefers-color-scheme", "value": scheme}]
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": media})
        self.browser.get("about:blank")
        self.browser.get(self.address + fragment)
        return self

    def run(self, script, *arguments):
        """Result of a script in the page."""
        return self.browser.execute_script(script, *arguments)

    def all(self, selector):
        """The elements for a selector."""
        return self.browser.find_elements("css selector", selector)

    def one(self, selector):
        """The first of them."""
        return self.browser.find_element("css selector", selector)

    def texts(self, selector):
        """Texts of elements, visible or not."""
        return self.run("return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)", selector)

    def until(self, script, *arguments):
        """Wait until a script returns something."""
        from selenium.webdriver.support.wait import WebDriverWait

        return WebDriverWait(self.browser, self.patience, poll_frequency=0.05).until(
            lambda _: self.run(script, *arguments)
        )

    def rows(self, selector):
        """Texts of the cells of table rows."""
        return self.run(
            "return [...document.querySelectorAll(arguments[0])]"
            ".map((row) => [...row.children].map((cell) => cell.textContent))",
            selector,
        )

    def faults(self, axe, part="html"):
        """The serious faults that axe-core finds in the page, or in a part of it, with everything open."""
        self.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        self.run(axe)
        found = self.browser.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "axe.run(arguments[0]).then((found) => done(found.violations.map((one) =>"
            " [one.impact, one.id, one.nodes.slice(0, 3).map((node) => node.html + node.failureSummary)])))",
            part,
        )
        return [fault for fault in found if fault[0] in ("serious", "critical")]

    def order(self):
        """The numbers of the segments in the table, from 0."""
        return [int(text.replace(",", "")) - 1 for text in self.texts(".segments tbody th a")]

    def matches(self, system):
        """The matches that are drawn of a system."""
        drawn = self.run(
            "return [...document.querySelectorAll(`#matrix .match[data-system='${arguments[0]}']`)]"
            ".map((one) => one.dataset.match)",
            system,
        )
        return sorted(tuple(map(int, match.split())) for match in drawn)


@pytest.fixture
def opened(browser, tmp_path):
    """A page → the page in the browser, which must have nothing to complain of and ask for nothing else."""
    pages = []

    def open_page(page, fragment="", width=1300, scheme="light"):
        path = tmp_path / f"page {len(pages)}.html"
        path.write_text(page, encoding="utf-8")
        pages.append(Opened(browser, path.as_uri()))
        return pages[-1].at(fragment, width, scheme)

    browser.get_log("browser")
    browser.get_log("performance")
    yield open_page
    assert [entry["message"] for entry in browser.get_log("browser")] == []
    asked = {url for entry in browser.get_log("performance") if (url := requested(entry))}
    assert asked <= {page.address for page in pages} | {"about:blank"}


def requested(entry):
    """The address that an entry of the log tells was asked for, without its fragment."""
    message = json.loads(entry["message"])["message"]
    return message["params"]["request"]["url"] if message["method"] == "Network.requestWillBeSent" else None


@pytest.fixture(scope="session")
def corpora():
    """Names of systems of the examples, two references each → their corpora."""
    scorer = Scorer("meteor-1.5-en-core")
    references = list(zip(lines("reference.0.en"), lines("reference.1.en"), strict=True))
    return {
        name: scorer.corpus().extend(references=references, hypotheses=lines(name))
        for name in ("system-a.en", "system-b.en")
    }


@pytest.fixture(scope="session")
def page(corpora):
    """The page of the examples."""
    return html_report(corpora, compare_systems(corpora, samples=100), references=2, sources=lines("reference.1.en"))


@pytest.fixture(scope="session")
def axe():
    """The script of axe-core (npm), which looks for faults of accessibility."""
    path = Path(os.environ.get("METEORLIB_AXE", ROOT / "node_modules" / "axe-core" / "axe.min.js"))
    if not path.is_file():
        pytest.skip(f"axe-core is not at {path} (npm install axe-core, and set METEORLIB_AXE)")
    return path.read_text(encoding="utf-8")
