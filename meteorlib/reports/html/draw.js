// Elements of the page. Text only ever becomes text: nothing here reads HTML.

function append(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function el(tag, attributes = {}, ...children) {
  return append(document.createElement(tag), attributes, children);
}

function svg(tag, attributes = {}, ...children) {
  return append(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function math(tag, ...children) {
  return append(document.createElementNS("http://www.w3.org/1998/Math/MathML", tag), {}, children);
}

/** A part that scrolls, also by keys. */
function region(name, kind, ...children) {
  return el("div", {class: `scroll ${kind}`, tabindex: "0", role: "region", "aria-label": name}, ...children);
}

const LISTED = 8, unfolded = new Set();

/** A long table: its first rows, and a button for the others. */
function folded(name, table) {
  const view = region(name, unfolded.has(name) ? "" : "list", table), others = table.tBodies[0].rows.length - LISTED;
  return others < 1 || unfolded.has(name) ? [view] : [view, textButton((event) => {
    unfolded.add(name);
    view.classList.remove("list");
    event.currentTarget.remove();
    view.focus();
  }, `${grouped(others)} more`)];
}

function rowHead(...children) {
  return el("th", {scope: "row"}, ...children);
}

function remark(...children) {
  return el("p", {class: "note"}, ...children);
}

/** Words that can be pressed. */
function textButton(onclick, ...children) {
  return el("button", {type: "button", class: "text", dir: "auto", onclick}, ...children);
}

function numberCell(...children) {
  return el("td", {class: "number"}, ...children);
}

/** A heading that sorts a table by `key`, worst first, then the other way round. */
function sortHeading(text, key, order, id, choose, attributes) {
  const [by, way] = order.split(" ");
  const sort = by !== key ? "none" : way === "up" ? "ascending" : "descending";
  return el("th", {scope: "col", class: "number", "aria-sort": sort, ...attributes},
    el("button", {type: "button", class: "sort", id, title: "Sort", onclick: () => choose(`${key} ${sort === "ascending" ? "down" : "up"}`)},
      text, el("span", {class: "arrow", "aria-hidden": "true"}, {ascending: "▲", descending: "▼", none: "↕"}[sort])));
}

function grouped(number) {
  return number.toLocaleString("en");
}

function badge(system) {
  return el("span", {class: `badge system-${system % 6}`}, data.marks[system]);
}

function named(system) {
  return [badge(system), " ", el("bdi", {class: "name"}, systems[system])];
}

/** The text of a segment as it was written, where that is known. */
function asWritten(system, index) {
  return data.written?.systems[system][index];
}

function writtenReference(index, segment) {
  return data.written?.references[index][segment.reference];
}

function stageMark(stage) {
  return el("span", {class: `stage stage-${stage % 6}`, title: data.stages[stage].name}, data.stages[stage].mark);
}

function isExact(stage) {
  return data.stages[stage].name === "exact";
}

/** Meanings of the signs at words, and more. */
function legend(...more) {
  return el("p", {class: "legend"}, "Stages: ",
    data.stages.map((stage, at) => el("span", {}, stageMark(at), ` ${stage.name} `)),
    el("span", {}, el("span", {class: "word unmatched"}, "word"), " not matched (in a reference: by none of its systems)"), more);
}

/** So many letters of a text; a hostile one has a million without a space. */
function clipped(text, letters = 300) {
  const first = [...text.slice(0, 2 * letters + 2)];
  return first.length <= letters ? text : `${first.slice(0, letters - 1).join("")}…`;
}

const wordLanguage = /^[a-z]{2}$/.test(data.language) ? data.language : null;

/** A line of words; how each is matched shows by the line under it and, where it is not as written, by a letter. */
function line(list, spans, limit, chunks = []) {
  const shown = [];
  const starts = new Map(spans.map((span) => [span.start, span]));
  const heads = new Set(chunks);
  let at = 0;
  while (at < Math.min(list.length, limit)) {
    const span = starts.get(at);
    const text = clipped(list.slice(at, at + (span?.length ?? 1)).join(" "));
    if (at && heads.has(at)) shown.push(el("span", {class: "head", "aria-hidden": "true"}, "❘"), " ");
    shown.push(span ? matchedWord(text, span.stage) : el("bdi", {class: "word unmatched"}, text), " ");
    at += span?.length ?? 1;
  }
  if (at < list.length) shown.push(el("span", {class: "note"}, `… and ${grouped(list.length - at)} more words`));
  if (!list.length) shown.push(el("span", {class: "note"}, "(empty)"));
  return el("span", {class: "line", dir: direction(list.slice(0, limit).join(" ")), lang: wordLanguage}, shown);
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The direction of the first letter; `dir=auto` does not look into words that are kept apart from each other. */
function direction(text) {
  return RIGHT_TO_LEFT.test(/\p{Letter}/u.exec(text)?.[0] ?? "") ? "rtl" : "ltr";
}

function matchedWord(text, stage) {
  const letter = isExact(stage) ? null : el("sup", {title: data.stages[stage].name}, data.stages[stage].mark);
  return el("bdi", {class: `word stage-${stage % 6}`}, text, letter);
}

function referenceSpans(segment) {
  return segment.matches.map(([start, length, , , stage]) => ({start, length, stage}));
}

function hypothesisSpans(segment) {
  return segment.matches.map(([, , start, length, stage]) => ({start, length, stage}));
}
