// The page "Try it": reads the form, has the worker score it, and shows the result.

const PAUSE = 200; // milliseconds without a key press before a text is scored
const LONGEST = 2000; // characters of a text; longer ones take seconds in a browser

const form = document.getElementById("try-it-form");
const status = document.getElementById("try-it-status");
const error = document.getElementById("try-it-error");
const result = document.getElementById("try-it-result");

let ready = false;
let broken = false;
let timer;
let asked = 0; // number of the latest question; answers to earlier ones are not shown
let waiting = null; // the latest question while the worker is busy
let busy = false;

function values() {
  return Object.fromEntries(new FormData(form));
}

function showError(message) {
  error.textContent = message;
  error.hidden = message === "";
  if (message) {
    status.textContent = "";
    result.hidden = true;
  }
}

function fail(message) {
  broken = true;
  busy = false;
  showError(
    `The scorer could not be loaded: ${message}. Reload the page to try again. If you built this site yourself, ` +
      "“python tools/try_it.py SITE” adds the scorer, and “python -m http.server --directory SITE” serves it. " +
      "Without a browser, “meteorlib explain -r REFERENCE HYPOTHESIS” shows the same.",
  );
}

function problem({ reference, hypothesis }) {
  const texts = [["reference", reference], ["hypothesis", hypothesis]];
  const empty = texts.filter(([, text]) => !text.trim()).map(([name]) => name);
  if (empty.length) return `Write a ${empty.join(" and a ")} to get a score.`;
  const long = texts.find(([, text]) => text.length > LONGEST);
  if (!long) return "";
  return (
    `The ${long[0]} has ${long[1].length} characters; this page scores up to ${LONGEST}. ` +
    "Use “meteorlib explain” on the command line for longer texts."
  );
}

function ask() {
  if (broken) return;
  const given = values();
  asked += 1;
  history.replaceState(null, "", `#${new URLSearchParams(given)}`);
  const message = problem(given);
  showError(message);
  waiting = message ? null : { id: asked, ...given };
  send();
}

function send() {
  if (!ready || busy || !waiting) return;
  busy = true;
  result.setAttribute("aria-busy", "true");
  status.textContent = "Scoring …";
  worker.postMessage(waiting);
  waiting = null;
}

function show({ id, score, html, message }) {
  busy = false;
  result.setAttribute("aria-busy", "false");
  if (id === asked) {
    if (message) {
      showError(message);
    } else {
      status.textContent = `Score ${score}`;
      result.innerHTML = html; // made by meteorlib, which escapes all text
      result.hidden = false;
    }
  }
  send();
}

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const [name, value] of given) {
    const field = form.elements.namedItem(name);
    if (field === null) continue;
    const options = field.options && [...field.options].map((option) => option.value);
    if (!options || options.includes(value)) field.value = value;
  }
}

readAddress();
for (const change of ["input", "change"]) {
  form.addEventListener(change, () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  });
}
form.addEventListener("submit", (event) => event.preventDefault());

let worker;
try {
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.addEventListener("error", (event) => fail(event.message || "the browser cannot run it"));
  worker.addEventListener("message", ({ data }) => {
    if (data.failed) {
      fail(data.failed);
    } else if (data.ready) {
      ready = true;
      ask();
    } else {
      show(data);
    }
  });
} catch (reason) {
  fail(reason.message);
}
