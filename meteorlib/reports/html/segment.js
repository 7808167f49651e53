// One segment: texts, matrices, formula. Its address is #seg-17.

const shown = byId("segment");
const FULL_LINE = 2000;

function showSegment(index, again = false) {
  const address = addressOf(index);
  if (again) location.replace(address);
  else location.hash = address;
}

/** Open or close the segment as the address says. */
function followAddress() {
  const number = Number(/^#seg-(\d+)(&|$)/.exec(location.hash)?.[1] ?? 0);
  if (number >= 1 && number <= count) {
    drawSegment(number - 1);
    if (!shown.open) shown.showModal();
    shown.scrollTop = 0;
  } else if (shown.open) {
    shown.close();
  }
}

function neighbor(index, step) {
  const at = listed.indexOf(index);
  const next = at < 0 ? index + step : listed[at + step];
  return next >= 0 && next < count ? next : null;
}

function stepButton(index, step, text, name) {
  const next = neighbor(index, step);
  return el("button", {type: "button", id: `step-${name.toLowerCase()}`, disabled: next === null, "aria-label": `${name} segment`,
    onclick: () => stepTo(next, step)}, text);
}

function stepTo(next, step) {
  if (next === null || next === undefined) return;
  showSegment(next, true);
  shown.dataset.step = step;
}

function drawSegment(index) {
  const segments = systems.map((_, system) => segmentOf(system, index));
  const [first, second = first] = comparedSystems();
  const focused = document.activeElement?.id;
  shown.replaceChildren(
    el("div", {class: "top"},
      el("h2", {id: "segment-heading", tabindex: "-1"}, `Segment ${grouped(index + 1)}`),
      el("div", {class: "buttons"}, stepButton(index, -1, "←", "Previous"), stepButton(index, 1, "→", "Next"),
        el("button", {type: "button", id: "close", "aria-label": "Close", onclick: () => shown.close()}, "✕"))),
    texts(index, segments),
    noteFields(index),
    el("div", {}, first === second ? null : diffOf(index, pair)),
    gainTables(index) ?? "",
    legend(el("span", {}, "❘ next chunk")),
    el("div", {id: "why"}, matrices(segments, first, second),
      el("section", {class: "formulas"}, el("h3", {}, "The formula"), remark(namesNote()),
        el("div", {}, [...new Set([...comparedSystems(), ...systems.keys()])].map((system) => el("div", {class: "card"},
          el("h4", {}, named(system)), formula(segments[system]), faultList(segments[system]), segments[system].optimal ? null
            : remark("Too ambiguous for the search's budget: this alignment is the best found.")))))),
    el("details", {}, el("summary", {}, "The matches as a list"), segments.map((segment, system) => matchTable(segment, system))));
  (byId(focused) ?? byId("segment-heading")).focus();
}

function texts(index, segments) {
  const rows = [];
  const row = (head, scores, text) => rows.push(el("tr", {}, rowHead(head), numberCell(scores), el("td", {}, text)));
  if (data.sources) row("Source", "", el("span", {class: "line", dir: "auto"}, data.sources[index].slice(0, 20 * FULL_LINE)));
  const seen = [];
  segments.forEach((segment) => {
    if (seen.includes(segment.place)) return;
    seen.push(segment.place);
    const users = segments.flatMap((other, system) => (other.place === segment.place ? [badge(system)] : []));
    const many = data.segments.references[index].length > 1;
    row(["Reference", segment.reference || many ? ` ${segment.reference + 1}` : "", many ? [" of ", ...users] : []].flat(), "",
      [line(segment.referenceWords, commonSpans(segments.filter((other) => other.place === segment.place)), FULL_LINE),
        writtenLine(writtenReference(index, segment))].filter(Boolean));
  });
  for (const [at, text] of otherReferences(index, segments)) row(`Reference ${at + 1}, not used`, "", writtenLine(text));
  segments.forEach((segment, system) => {
    const against = system === pair[1] ? null : difference(index, system, pair[1]);
    row(named(system), [el("strong", {}, digits(segment.score)), against === null ? null : el("span", {class: "against"}, `${signed(against)} vs ${data.marks[pair[1]]}`), metricLines(system, index)].flat(),
      [line(segment.hypothesisWords, hypothesisSpans(segment), FULL_LINE, segment.chunkList.map((chunk) => chunk[2])),
        writtenLine(asWritten(system, index))].filter(Boolean));
  });
  return el("div", {class: "scroll"}, el("table", {class: "texts"}, el("caption", {class: "hidden"}, "Texts and scores"), el("tbody", {}, rows)));
}

/** Spans of the reference: matched words as the only system matches them, or those that any of several systems matches. */
function commonSpans(segments) {
  if (segments.length === 1) return referenceSpans(segments[0]);
  const reached = new Set(segments.flatMap((segment) => [...covered(segment).reference]));
  return [...reached].map((start) => ({start, length: 1, stage: Math.max(0, data.stages.findIndex(({name}) => name === "exact"))}));
}

function matrices(segments, first, second) {
  const sides = (...chosen) => chosen.map((system) => ({system, segment: segments[system]}));
  const choices = segments.map((_, system) => [[badge(system)], () => matrix(sides(system))]);
  if (systems.length > 1 && first !== second) {
    choices.unshift([[badge(first), " and ", badge(second)], () =>
      (segments[first].place === segments[second].place
        ? matrix(sides(first, second))
        : el("div", {}, remark("The two were scored against different references, so that each has a matrix of its own."),
          el("div", {class: "two"}, sides(first).concat(sides(second)).map((side) => el("div", {}, el("h4", {}, named(side.system)), matrix([side]))))))]);
  }
  const place = el("div", {id: "matrix"});
  const choose = (at) => {
    matrixChoice = at;
    place.replaceChildren(choices[at][1]());
  };
  const current = Math.min(matrixChoice, choices.length - 1);
  choose(current);
  return el("section", {}, el("h3", {}, "The alignment"),
    choices.length > 1 && el("fieldset", {class: "choice"}, el("legend", {class: "hidden"}, "Whose alignment"),
      choices.map(([head], at) => el("label", {},
        el("input", {type: "radio", name: "matrix", value: at, checked: at === current, onchange: () => choose(at)}), " ", head))),
    place,
    remark("Downwards the reference, across the system. Framed: a chunk, words that stand together in both. Gray words are not matched."));
}

let matrixChoice = 0;

function matchTable(segment, system) {
  const limit = 1000;
  const chunkOf = (start) => segment.chunkList.findIndex(([from, length]) => start >= from && start < from + length) + 1;
  return region(`Matches of ${systems[system]}`, "",
    el("table", {class: "matches"}, el("caption", {}, named(system), `: ${grouped(segment.matches.length)} matches in ${grouped(segment.chunkList.length)} chunks`),
      el("thead", {}, el("tr", {}, ["Reference", "Hypothesis", "Stage", "Chunk"].map((head) => el("th", {scope: "col"}, head)))),
      el("tbody", {}, segment.matches.slice(0, limit).map(([start, length, other, otherLength, stage], at) => el("tr", {},
        el("td", {}, el("bdi", {}, clipped(segment.referenceWords.slice(start, start + length).join(" ")))),
        el("td", {}, el("bdi", {}, clipped(segment.hypothesisWords.slice(other, other + otherLength).join(" ")))),
        el("td", {}, stageMark(stage), ` ${data.stages[stage].name}${partOf(segment, at)}`),
        el("td", {}, String(chunkOf(start))))))),
    segment.matches.length > limit && remark(`… and ${grouped(segment.matches.length - limit)} more`));
}

shown.addEventListener("close", () => {
  if (location.hash.startsWith("#seg-")) history.replaceState(null, "", addressOf());
});
shown.addEventListener("keydown", (event) => {
  if (event.target.matches("input:not([type=radio]), .scroll") || event.altKey || event.ctrlKey || event.metaKey) return;
  const step = {ArrowLeft: -1, k: -1, ArrowRight: 1, j: 1}[event.key];
  const number = Number(/^#seg-(\d+)/.exec(location.hash)?.[1] ?? 0);
  if (step && number) {
    event.preventDefault();
    stepTo(neighbor(number - 1, step), step);
  }
});
shown.addEventListener("click", (event) => {
  if (event.target === shown) shown.close(); // beside it
});
window.addEventListener("popstate", () => {
  const chosen = location.hash.replace(/^#(seg-\d+&?)?/, "");
  if (chosen !== addressOf().slice(1)) readAddress();
  followAddress();
});
