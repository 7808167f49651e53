"""The page "Try it": scores in the browser, from a static server, without any other host."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import quote, urlencode

import pytest

from meteorlib import Scorer
from meteorlib.conformance.run import read_cases
from meteorlib.explanation.explanation import explanation_html
from meteorlib.resources.catalog import PACKAGED_THESAURI, PACKAGED_WEIGHTS
from tests.browser.conftest import Opened, requested
from tests.conftest import ROOT

pytestmark = pytest.mark.browser

PRESETS = ("meteor-2005", "nltk", "meteor-1.5-en-core", "meteor-2026-en-core")

REFERENCE, HYPOTHESIS = "The doctor examined the patients.", "The physician carefully examined a patient."
"""Texts of the page when it is opened."""

TEXTS = ("the cat sat on the mat", "on the mat sat a cat", "cats sat down")

RUN_PYTHON = """
const [code, done] = arguments;
(async () => {
  const base = new URL("_static/try-it/", location.href);
  const { packages } = await (await fetch(new URL("packages.json", base))).json();
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", base));
  const python = await loadPyodide();
  for (const name of packages) {
    python.unpackArchive(await (await fetch(new URL(name, base))).arrayBuffer(), "wheel");
  }
  return python.runPython(code);
})().then(done, (reason) => done(String(reason)));
"""

MEASURE = """
import json
from meteorlib import Scorer
from meteorlib.conformance.run import read_cases
from meteorlib.verification import verify

presets = {presets!r}
english = [case for case in read_cases() if case.language == "en"]
checked = verify(presets)
json.dumps({{
    "states": [[check.preset, check.state, check.cases] for check in checked.checks],
    "damaged": list(checked.damaged),
    "scores": {{
        name: [repr(Scorer(name).score(case.references, case.hypothesis).score) for case in english] for name in presets
    }},
    "matrices": {{name: repr(Scorer(name).matrix(references={texts!r}, hypotheses={texts!r})) for name in presets}},
}})
"""


@pytest.fixture(scope="session")
def page_alone(tmp_path_factory):
    """Folder with the page as sphinx-build makes it, without the scorer."""
    pytest.importorskip("sphinx", reason="needs sphinx, which the extra docs has")
    folder = tmp_path_factory.mktemp("site")
    options = ("-D", "root_doc=try-it", "-D", "include_patterns=try-it.md")
    command = (sys.executable, "-m", "sphinx", "-Q", *options, str(ROOT / "docs"), str(folder))
    subprocess.run(command, check=True)
    (folder / "favicon.ico").touch()  # a browser asks for it by itself
    return folder


@pytest.fixture(scope="session")
def whole_site(page_alone, tmp_path_factory):
    """Folder with the page and the scorer."""
    pyodide = Path(os.environ.get("METEORLIB_PYODIDE", ROOT / "node_modules" / "pyodide"))
    if not pyodide.is_dir():
        pytest.skip(f"pyodide is not at {pyodide} (npm install pyodide, and set METEORLIB_PYODIDE)")
    folder = tmp_path_factory.mktemp("site") / "whole"
    subprocess.run(("cp", "-r", str(page_alone), str(folder)), check=True)
    subprocess.run((sys.executable, "tools/try_it.py", str(folder), "--pyodide", str(pyodide)), cwd=ROOT, check=True)
    return folder


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Write nothing."""


class Served(Opened):
    """The page in the browser, from a static server."""

    patience = 60

    def one(self, name):
        """A part of the page."""
        return self.browser.find_element("id", f"try-it-{name}")

    def type(self, name, text):
        """Replace the content of a field, key by key."""
        field = self.one(name)
        field.clear()
        field.send_keys(text)

    def choose(self, name, option):
        """Choose an option of a list."""
        from selenium.webdriver.support.select import Select

        Select(self.one(name)).select_by_visible_text(option)

    def wait_for(self, preset, reference, hypothesis, view="rows"):
        """Wait until the page shows what meteorlib shows here, to the last character."""
        expected = explanation_html(Scorer(preset).explain(reference, hypothesis, budget=5000), view)
        self.until(
            "const own = document.createElement('div'); own.innerHTML = arguments[0];"
            "const it = document.getElementById('try-it-result');"
            "return !it.hidden && it.ariaBusy === 'false' && it.innerHTML === own.innerHTML",
            expected,
        )

    def wait_for_error(self):
        """Wait until an error is shown, and return its words."""
        return self.until("const it = document.getElementById('try-it-error'); return it.hidden ? '' : it.textContent")


@pytest.fixture
def serve(browser):
    """Folder → the page in the browser; every request is answered by the static server."""
    servers = []

    def start(folder):
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
        Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return Served(browser, f"http://127.0.0.1:{server.server_port}/try-it.html")

    browser.get_log("performance")
    yield start
    own = tuple(f"http://127.0.0.1:{server.server_port}/" for server in servers)
    asked = {url for entry in browser.get_log("performance") if (url := requested(entry))}
    assert [url for url in asked if not url.startswith((*own, "about:", "data:", "file:"))] == []
    browser.get("about:blank")
    browser.get_log("browser")
    for server in servers:
        server.shutdown()
        server.server_close()


def test_conformance(serve, whole_site):
    """The page's archive gives the kit's results, and the same scores as here, to the last bit.

    It lacks only language data that no English preset uses.
    """
    there = serve(whole_site).at()
    there.browser.set_script_timeout(120)
    found = json.loads(there.browser.execute_async_script(RUN_PYTHON, MEASURE.format(presets=PRESETS, texts=TEXTS)))
    english = [case for case in read_cases() if case.language == "en"]
    others = {*PACKAGED_WEIGHTS, *PACKAGED_THESAURI} - {"information-en"}
    assert {*found["damaged"]} == others
    assert found["states"] == [[name, "equal", len(english)] for name in PRESETS]
    for name in PRESETS:
        scorer = Scorer(name)
        assert found["scores"][name] == [repr(scorer.score(case.references, case.hypothesis).score) for case in english]
        assert found["matrices"][name] == repr(scorer.matrix(references=TEXTS, hypotheses=TEXTS))


def test_as_one_types(serve, whole_site):
    """The result follows texts, preset and view, and is what meteorlib shows elsewhere."""
    there = serve(whole_site).at()
    there.wait_for("meteor-1.5-en-core", REFERENCE, HYPOTHESIS)
    assert there.one("status").text == "Score 0.3386"
    there.type("hypothesis", "A doctor examined the patient.")
    there.wait_for("meteor-1.5-en-core", REFERENCE, "A doctor examined the patient.")
    for preset in PRESETS:
        there.choose("preset", preset)
        there.wait_for(preset, REFERENCE, "A doctor examined the patient.")
    there.choose("view", "as a matrix")
    there.wait_for("meteor-2026-en-core", REFERENCE, "A doctor examined the patient.", "matrix")
    there.browser.refresh()
    there.wait_for("meteor-2026-en-core", REFERENCE, "A doctor examined the patient.", "matrix")


def test_hostile_text(serve, whole_site):
    """Texts from the address are shown and nothing more, and an unknown preset is not taken from it."""
    text = '<img src=x onerror="window.hacked=1">'
    fragment = urlencode({"reference": text, "hypothesis": f"a {text}", "preset": "none"}, quote_via=quote)
    there = serve(whole_site).at(f"#{fragment}")
    there.wait_for("meteor-1.5-en-core", text, f"a {text}")
    assert there.run("return [window.hacked ?? 0, document.querySelectorAll('#try-it-result img').length]") == [0, 0]


def test_errors_in_words(serve, whole_site):
    """An empty or long text shows an error, and the page works again once the text is corrected."""
    there = serve(whole_site).at()
    there.wait_for("meteor-1.5-en-core", REFERENCE, HYPOTHESIS)
    there.type("reference", " ")
    assert there.wait_for_error() == "Write a reference to get a score."
    assert not there.one("result").is_displayed()
    there.run("document.getElementById('try-it-reference').value = 'word '.repeat(401)")
    there.one("hypothesis").send_keys(" ")
    there.until("return document.getElementById('try-it-error').textContent.includes('2005 characters')")
    there.type("reference", REFERENCE)
    there.wait_for("meteor-1.5-en-core", REFERENCE, HYPOTHESIS)
    assert not there.one("error").is_displayed()


def test_site_without_the_scorer(serve, page_alone):
    """If the scorer is missing, the page says how to add it, and how to do without."""
    message = serve(page_alone).at().wait_for_error()
    assert "packages.json is missing (404 File not found)" in message
    assert "python tools/try_it.py SITE" in message
    assert "meteorlib explain -r REFERENCE HYPOTHESIS" in message


def test_opened_from_disk(browser, page_alone):
    """A page that was opened as a file says at once how to serve it."""
    browser.get((page_alone / "try-it.html").as_uri())
    message = browser.find_element("id", "try-it-error").text
    assert f'“python -m http.server --directory "{page_alone}"” and open http://localhost:8000/try-it.html' in message
    assert browser.find_element("id", "try-it-status").text == ""


def test_broken_scorer(serve, whole_site, tmp_path):
    """A file that did not come whole is an error in words."""
    subprocess.run(("cp", "-r", str(whole_site), str(tmp_path / "broken")), check=True)
    (tmp_path / "broken" / "_static" / "try-it" / "pyodide" / "pyodide.asm.wasm").write_bytes(b"\0asm")
    assert "The scorer could not be loaded" in serve(tmp_path / "broken").at().wait_for_error()


def test_keyboard(serve, whole_site):
    """The fields follow each other by Tab, and the focus can be seen."""
    there = serve(whole_site).at()
    there.wait_for("meteor-1.5-en-core", REFERENCE, HYPOTHESIS)
    there.one("reference").click()
    seen = []
    for _ in range(4):
        element = there.browser.switch_to.active_element
        seen.append((element.get_attribute("name"), element.value_of_css_property("outline-style")))
        element.send_keys("\ue004")
    assert seen == [(name, "solid") for name in ("reference", "hypothesis", "preset", "view")]
    there.one("preset").send_keys("\ue013")  # arrow up
    there.wait_for("nltk", REFERENCE, HYPOTHESIS)


@pytest.mark.parametrize("view", ["rows", "matrix"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1300, 400])
def test_accessible(serve, whole_site, axe, width, scheme, view):
    """axe-core finds no serious fault, light or dark, wide or narrow, and the page does not scroll sideways."""
    there = serve(whole_site).at(f"#view={view}", width, scheme)
    there.wait_for("meteor-1.5-en-core", REFERENCE, HYPOTHESIS, view)
    assert there.run("const it = document.documentElement; return it.scrollWidth - it.clientWidth") == 0
    assert there.faults(axe, ".try-it-tool") == []
