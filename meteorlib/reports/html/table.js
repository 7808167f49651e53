// The table of segments: searched, narrowed down, sorted; fifty rows of it are drawn at a time.

const PER_PAGE = 50, ROW_WORDS = 60, ROW_LETTERS = 500;

// The two systems that are compared. Every difference on the page is the first minus the second: at the beginning,
// a system minus the baseline, as in the table of scores.
const DEFAULT_PAIR = [Math.max(0, systems.findIndex((_, system) => system !== data.baseline)), data.baseline];
let pair = [...DEFAULT_PAIR];
let order = "file up";
let page = 0;
let listed = [];

/** The one or two systems that are compared, in the order of the page. */
function comparedSystems() {
  return [...new Set(pair)].sort((one, other) => one - other);
}

const haystacks = new Map();

/** The text that is searched, made when it is asked for first. */
function haystack(field, index) {
  if (!haystacks.has(field)) haystacks.set(field, new Array(count));
  const texts = haystacks.get(field);
  texts[index] ??= made(field, index).toLowerCase();
  return texts[index];
}

/** Make the texts that are searched while nothing else is to be done, so that the first search is as quick as others. */
function makeHaystacks(index = 0) {
  const idle = window.requestIdleCallback ?? ((run) => setTimeout(() => run({timeRemaining: () => 5})));
  idle((time) => {
    while (index < count && time.timeRemaining() > 1) {
      for (const field of fieldsOf("all")) haystack(field, index);
      index++;
    }
    if (index < count) makeHaystacks(index);
  });
}

function made(field, index) {
  if (field === "source") return data.sources[index];
  if (field === "reference") return [...data.segments.references[index].map((letters) => ` ${words(letters).join(" ")} `), ...(data.written?.references[index] ?? [])].join("\n");
  return ` ${words(data.segments.systems[field].hypothesis[index]).join(" ")} \n${asWritten(field, index) ?? ""}`;
}

function fieldsOf(choice) {
  if (choice !== "all") return [choice];
  return [...(data.sources ? ["source"] : []), "reference", ...systems.map((_, system) => String(system))];
}

/** The segments that all filters keep; nothing where a regular expression is not one. */
function chosenSegments() {
  let tests;
  byId("query").setCustomValidity("");
  try {
    tests = [...filters, ...formFilters()].map(([kind, ...rest]) => KINDS[kind](...rest));
  } catch (error) {
    byId("query").setCustomValidity(error.message);
    byId("query").reportValidity();
    return [];
  }
  const found = [];
  for (let index = 0; index < count; index++) if (tests.every((keeps) => keeps(index))) found.push(index);
  return found;
}

function sorted(found) {
  const [key, way] = order.split(" ");
  if (key === "file") return way === "up" ? found : found.reverse();
  const [first, second] = pair;
  const value = {
    difference: (index) => difference(index, first, second),
    distance: (index) => Math.abs(difference(index, first, second)),
  }[key] ?? metricKey(key) ?? partKey(key) ?? ((index) => data.segments.systems[Number(key)].score[index]);
  const sign = way === "up" ? 1 : -1;
  return found.map((index) => [value(index), index]).sort((one, other) => sign * (one[0] - other[0]) || one[1] - other[1]).map((entry) => entry[1]);
}

/** The size of the difference in a part, for a sort key such as recall.distance; null where it is none. */
function partKey(key) {
  const [part, what] = key.split(".");
  if (!what) return null;
  const value = measured(`difference ${part}`);
  return (index) => (value(index) === NO_VALUE ? -1 : Math.abs(value(index)));
}

function orders() {
  const [first, second] = pair;
  const choices = [["file up", "order of the file"], ["file down", "order of the file, last first"]];
  if (first !== second) {
    choices.push(["distance down", "largest difference"],
      ["difference down", `${data.marks[first]} better than ${data.marks[second]}`],
      ["difference up", `${data.marks[second]} better than ${data.marks[first]}`],
      ...[...PARTS].map((part) => [`${part}.distance down`, `largest difference in ${called(part)}`]));
  }
  systems.forEach((_, system) => choices.push([`${system} up`, `worst of ${data.marks[system]}`], [`${system} down`, `best of ${data.marks[system]}`]));
  return [...choices, ...metricOrders()];
}

function fillChoices() {
  fillAxes();
  const choices = orders();
  if (!choices.some(([value]) => value === order)) order = "file up";
  byId("order").replaceChildren(...choices.map(([value, text]) => el("option", {value, selected: value === order}, text)));
  const chosen = byId("measure").value;
  const measures = systems.flatMap((_, system) => RANGES.map((measure) => [`${system} ${measure}`, `${called(measure)} of ${data.marks[system]}`]));
  if (pair[0] !== pair[1]) {
    measures.push(...RANGES.map((measure) => [`difference ${measure}`, `${called(measure)}, ${data.marks[pair[0]]} minus ${data.marks[pair[1]]}`]));
  }
  byId("measure").replaceChildren(...measures.map(([value, text]) => el("option", {value, selected: value === chosen}, text)));
}

/** Choose, sort and draw anew. */
function drawTable() {
  const found = chosenSegments();
  const all = found.length === count;
  byId("found").textContent = all ? `${grouped(count)} segments` : `${grouped(found.length)} of ${grouped(count)} segments`;
  byId("save").hidden = !Object.keys(notes).length;
  listed = sorted(found);
  page = 0;
  drawChips();
  drawPage();
  if (systems.length > 1) drawScatter(all ? null : marked(found));
}

function marked(found) {
  const chosen = new Uint8Array(count);
  for (const index of found) chosen[index] = 1;
  return chosen;
}

function drawPage() {
  const from = page * PER_PAGE, rows = listed.slice(from, from + PER_PAGE);
  const compared = pair[0] !== pair[1];
  const table = el("table", {class: "segments", role: "table", "aria-rowcount": listed.length + 1},
    el("caption", {class: "hidden"}, "Segments with their scores"),
    el("thead", {role: "rowgroup"}, el("tr", {role: "row", "aria-rowindex": 1},
      heading("file", "No."),
      comparedSystems().map((system) => heading(String(system), [badge(system)])),
      compared && heading("difference", [badge(pair[0]), "−", badge(pair[1])]),
      data.sources && el("th", {scope: "col", role: "columnheader"}, "Source"),
      el("th", {scope: "col", role: "columnheader"}, "Reference and systems"))),
    el("tbody", {role: "rowgroup"}, rows.map((index, at) => row(index, from + at + 2, compared))));
  byId("rows").replaceChildren(...(listed.length ? [legend(), ...(listed.length === count ? folded(`Segments, page ${page + 1}`, table) : [table]),
    el("p", {class: "printed"}, `Segments ${grouped(from + 1)} to `, [rows.length, LISTED].map((all) => el("span", {}, grouped(from + all))), ` of ${grouped(listed.length)} listed`)] : [el("p", {}, "No segment is like that. ",
    el("button", {type: "button", onclick: showAll}, "Show all"))]));
  drawPages();
  markHits();
}

/** Mark what is searched for in the rows, where the browser can. */
function markHits() {
  const ranges = [], searched = listed.length ? [...filters, ...formFilters()].filter(([kind]) => kind === "text") : [];
  for (const [, , query, flags] of searched) {
    const pattern = patternOf(query, flags), walker = document.createTreeWalker(byId("rows"), NodeFilter.SHOW_TEXT);
    let node;
    while ((node = walker.nextNode())) {
      if (node.parentNode.closest(".line")) for (const hit of node.data.matchAll(pattern)) {
        const range = new Range();
        range.setStart(node, hit.index);
        range.setEnd(node, hit.index + hit[0].length);
        ranges.push(range);
      }
    }
  }
  if (window.Highlight) CSS.highlights.set("hit", new Highlight(...ranges));
}

function heading(key, text) {
  return sortHeading(text, key, order, `sort-${key}`, sortBy, {role: "columnheader"});
}

function sortBy(chosen) {
  order = chosen;
  byId("order").value = chosen;
  history.replaceState(null, "", addressOf());
  drawTable();
  byId(`sort-${chosen.split(" ")[0]}`)?.focus();
}

function row(index, place, compared) {
  const segments = systems.map((_, system) => segmentOf(system, index));
  const told = comparedSystems();
  return el("tr", {role: "row", "aria-rowindex": place, onclick: (event) => event.target.closest("a") || getSelection().toString() || showSegment(index)},
    el("th", {scope: "row", role: "rowheader"}, el("a", {href: addressOf(index), "aria-label": `Segment ${index + 1}`}, grouped(index + 1)), noteMark(index)),
    told.map((system) => el("td", {role: "cell", class: "number"}, el("span", {class: "narrow"}, badge(system), " "), digits(segments[system].score), metricLines(system, index, SCORED.filter((measure) => order.startsWith(`${measure}.`))))),
    compared && el("td", {role: "cell", class: "number"}, el("span", {class: "narrow"}, badge(pair[0]), "−", badge(pair[1]), " "), signed(difference(index, ...pair))),
    data.sources && el("td", {role: "cell", class: "text told"}, el("span", {class: "badge plain narrow", title: "source"}, "S"), el("span", {class: "line", dir: "auto"}, data.sources[index].slice(0, ROW_LETTERS))),
    el("td", {role: "cell", class: "text"},
      referenceLines(told.map((system) => segments[system])),
      told.map((system) => el("div", {class: "told"}, badge(system), line(segments[system].hypothesisWords, hypothesisSpans(segments[system]), ROW_WORDS))),
      writtenRows(told, index, segments),
      findings(index).map(([system, words]) => el("div", {class: "told"}, badge(Number(system)), el("strong", {}, words)))));
}

/** The texts as they were written, where words that are the same were not written alike: case or marks differ. */
function writtenRows(told, index, segments) {
  const texts = [[segments[told[0]].referenceWords, writtenReference(index, segments[told[0]]), el("span", {class: "badge plain"}, "R")],
    ...told.map((system) => [segments[system].hypothesisWords, asWritten(system, index), badge(system)])];
  const differs = ([one, text]) => text && texts.some(([other, again]) => again !== text && one.join(" ") === other.join(" "));
  return texts.filter(differs).map(([, text, mark]) => el("div", {class: "told"}, mark, el("span", {class: "written line", dir: "auto"}, clipped(text, ROW_LETTERS))));
}

/** System and words of each finding of the checks among the filters; the name of the check if it has no words. */
function findings(index) {
  return filters.flatMap(([kind, name, system]) => (kind === "check" ? [[system, data.checks[name][system][index] || name]] : []));
}

/** The references against which these were scored, each once. */
function referenceLines(segments) {
  const places = [...new Set(segments.map((segment) => segment.place))];
  return places.map((place) => {
    const same = segments.filter((segment) => segment.place === place);
    const name = places.length > 1 ? `R${same[0].reference + 1}` : "R";
    return el("div", {class: "told"}, el("span", {class: "badge plain", title: "reference; marked words are matched by none of the systems shown"}, name),
      line(same[0].referenceWords, commonSpans(same), ROW_WORDS));
  });
}

function drawPages() {
  const last = Math.max(0, Math.ceil(listed.length / PER_PAGE) - 1);
  const button = (to, text, name) => el("button", {type: "button", id: `page-${name.toLowerCase()}`, "aria-label": `${name} page`, disabled: to < 0 || to > last || to === page, onclick: () => turnTo(to)}, text);
  const from = page * PER_PAGE;
  byId("pages").replaceChildren(...(last ? [button(0, "⇤", "First"), button(page - 1, "←", "Previous"),
    el("span", {}, `${grouped(from + 1)}–${grouped(Math.min(from + PER_PAGE, listed.length))} of ${grouped(listed.length)}`),
    button(page + 1, "→", "Next"), button(last, "⇥", "Last")] : []));
}

function turnTo(to) {
  const focused = document.activeElement?.id;
  page = to;
  drawPage();
  const again = byId(focused);
  (again && !again.disabled ? again : byId("pages").querySelector("button:not(:disabled)"))?.focus();
  byId("rows").scrollIntoView({block: "start"});
}

/** List the segments of a word or phrase; of one that is cut off, those that have its beginning. */
function searchFor(text, field) {
  showOnly(["text", field, ` ${text.length >= 60 && text.endsWith("…") ? text.slice(0, -1) : `${text} `}`]);
}
