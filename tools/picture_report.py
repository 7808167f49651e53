"""Make docs/report.png and docs/report-page.png: the report of the examples, as Chromium shows it.

It needs chromium, chromedriver and the extra ``dev``; the preset needs the paraphrase table.
"""

from __future__ import annotations

import shutil
import tempfile
from base64 import b64decode
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from meteorlib import Scorer
from meteorlib.analysis.significance import compare_systems
from meteorlib.reports.html import html_report

ROOT = Path(__file__).resolve().parent.parent
PICTURES = {"report.png": ("#seg-13", 1240, 1000), "report-page.png": ("", 1240, 1240)}
"""Name → address within the page, width and height."""


def lines(name: str) -> list[str]:
    """The segments of a file of examples."""
    return (ROOT / "examples" / name).read_text(encoding="utf-8").splitlines()


def main() -> None:
    """Make the pictures."""
    scorer = Scorer("meteor-1.5-en")
    references = list(zip(lines("reference.0.en"), lines("reference.1.en"), strict=True))
    systems = {
        name: scorer.corpus().extend(references=references, hypotheses=lines(name))
        for name in ("system-a.en", "system-b.en")
    }
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in ("--headless=new", "--no-sandbox", "--hide-scrollbars"):
        options.add_argument(flag)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        page.write_text(html_report(systems, compare_systems(systems), references=2), encoding="utf-8")
        browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        for name, (fragment, width, height) in PICTURES.items():
            size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            browser.get("about:blank")
            browser.get(page.as_uri() + fragment)
            taken = browser.execute_cdp_cmd("Page.captureScreenshot", {})
            (ROOT / "docs" / name).write_bytes(b64decode(taken["data"]))
        browser.quit()


if __name__ == "__main__":
    main()
