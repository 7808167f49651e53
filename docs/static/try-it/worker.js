// Runs meteorlib in Pyodide, apart from the page so that typing is never held up.

const PYTHON = `
import json
from functools import cache

from meteorlib import Scorer
from meteorlib.errors import MeteorError
from meteorlib.explanation.explanation import explanation_html

WORDS_RESCORED = 5_000  # for the gains: a fraction of a second

scorer = cache(Scorer)

def explain(preset, reference, hypothesis, view):
    try:
        explanation = scorer(preset).explain(reference, hypothesis, budget=WORDS_RESCORED)
    except MeteorError as error:
        return json.dumps({"message": str(error)})
    return json.dumps({"score": f"{explanation.scored.score:.4f}", "html": explanation_html(explanation, view)})

explain
`;

async function bytes(name) {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`${name} is missing (${response.status} ${response.statusText})`);
  return response.arrayBuffer();
}

async function load() {
  // asked for first: it is missing where the site has no scorer
  const { packages } = JSON.parse(new TextDecoder().decode(await bytes("packages.json")));
  const { loadPyodide } = await import("./pyodide/pyodide.mjs");
  const [python, ...archives] = await Promise.all([loadPyodide(), ...packages.map(bytes)]);
  for (const archive of archives) python.unpackArchive(archive, "wheel");
  return python.runPython(PYTHON);
}

function fail(reason) {
  self.postMessage({ failed: reason?.message ?? String(reason) });
}

let ready = false;

// where one of its files is damaged, Pyodide only warns on the console, and its promise stays open
console.warn = (...words) => {
  console.error(...words);
  if (!ready) fail(words.at(-1));
};

const loading = load();
loading.then(() => {
  ready = true;
  self.postMessage({ ready });
}, fail);

self.addEventListener("message", async ({ data: { id, preset, reference, hypothesis, view } }) => {
  const explain = await loading;
  try {
    self.postMessage({ id, ...JSON.parse(explain(preset, reference, hypothesis, view)) });
  } catch (reason) {
    self.postMessage({ id, message: `Python stopped with an error: ${reason.message.trim().split("\n").at(-1)}` });
  }
});
