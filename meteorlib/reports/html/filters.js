// Filters of the segments: what they are, what they are called, and how they stand in the address.
// A filter is a list of texts: its kind and its arguments.

let filters = [];
const SCALES = {precision: UNIT, recall: UNIT, f_mean: UNIT, fragmentation: UNIT, penalty: UNIT, ratio: 1000};
const RANGES = [...data.measures, "f_mean", "penalty", "hypothesisWords", "referenceWords", "ratio", "chunks",
  ...data.metrics.flatMap(({segments}, at) => (segments ? [`metric${at}`] : []))];

function called(measure) {
  if (isMetric(measure)) return data.metrics[measure.slice(6)].name;
  const stage = /^stage(\d+)$/.exec(measure);
  return stage ? `words matched by ${data.stages[stage[1]].name}` : data.called[measure] ?? measure;
}

/** Measures that are computed from other numbers of a segment. */
function computed(segment, measure) {
  const matched = (at) => segment.stages.reduce((sum, counts) => sum + counts[at], 0);
  if (measure.startsWith("stage")) return segment.stages[Number(measure.slice(5))][1] + segment.stages[Number(measure.slice(5))][3];
  if (measure === "faults") return Math.round(UNIT * penalizedFaults(segment).reduce((sum, {penalty}) => sum + penalty, 0));
  const content = segment.referenceLength - segment.referenceFunction - matched(1), functional = segment.referenceFunction - matched(3);
  return {
    referenceWords: segment.referenceWords.length,
    hypothesisWords: segment.hypothesisWords.length,
    ratio: segment.referenceWords.length ? Math.round(1000 * segment.hypothesisWords.length / segment.referenceWords.length) : NO_VALUE,
    content: matched(1), function: matched(3), crossing: segment.order?.crossing,
    missed: content + functional, contentMissed: content, functionMissed: functional,
  }[measure];
}

/** The value of each segment for a measure of a system, `1 recall`, or of a difference, `1-0 recall`. */
function measured(choice) {
  const [sides, measure] = choice.split(" ");
  if (sides === "difference") return measured(`${pair[0]}-${pair[1]} ${measure}`);
  if (!sides.includes("-")) {
    const values = measure === "score" ? data.segments.systems[sides].score : column(Number(sides), measure);
    return (index) => values[index];
  }
  const [first, second] = sides.split("-").map(Number);
  if (measure === "score") return (index) => difference(index, first, second);
  const one = column(first, measure), other = column(second, measure);
  return (index) => (one[index] === NO_VALUE || other[index] === NO_VALUE ? NO_VALUE : one[index] - other[index]);
}

/** Whether the value of a segment is within a range; an end with > or < before it is no part of the range. */
function isWithin(choice, from, to) {
  const measure = choice.split(" ")[1], value = measured(choice), scale = SCALES[measure] ?? 1;
  const settled = measure === "score" || isMetric(measure) ? (number) => Math.round(number * 1e10) / 1e10 : Math.round;
  const [least, most] = [from, to].map((end) => settled(String(end).replace(/[<>]/, "") * scale));
  return (index) => {
    const at = settled(value(index));
    return at !== NO_VALUE && (from === "" || at > least || (at === least && from[0] !== ">")) && (to === "" || at < most || (at === most && to[0] !== "<"));
  };
}

/** Whether a phrase stands in the references of a segment, which is quick to see. */
function hasPhrase(index, phrase) {
  return haystack("reference", index).includes(` ${phrase} `.toLowerCase());
}

/** Number of times that a phrase occurs in a list of words. */
function timesIn(list, phrase) {
  let found = 0;
  for (let at = list.indexOf(phrase[0]); at >= 0; at = list.indexOf(phrase[0], at + 1)) found += phrase.every((word, step) => list[at + step] === word);
  return found;
}

/** Number of times that a system matches a phrase of the reference within one chunk. */
function timesMatched(segment, phrase) {
  return segment.chunkList.reduce((sum, [start, length]) => sum + timesIn(segment.referenceWords.slice(start, start + length), phrase), 0);
}

let frequencies = null;

function frequencyOf(word) {
  if (!frequencies) {
    frequencies = new Map();
    for (const each of data.segments.references) for (const letters of each) for (const number of numbers(letters)) frequencies.set(number, (frequencies.get(number) ?? 0) + 1);
  }
  return frequencies.get(word);
}

/** Whether a reference has a word for whose number, in `lists`, `isSuch` holds; with a system, whether it leaves such a word unmatched. */
function hasWord(lists, isSuch, system) {
  return (index) => {
    if (!system) return lists[index].some((letters) => numbers(letters).some(isSuch));
    const segment = segmentOf(Number(system), index), {reference} = covered(segment);
    return numbers(lists[index][segment.place]).some((word, at) => isSuch(word) && !reference.has(at));
  };
}

/** The pattern of a search, of a text the one of its words; case matters in a regular expression with a capital letter. */
function patternOf(query, flags) {
  if (!flags) return new RegExp(query.trim().replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/\s+/g, "(?!\\p{L})|"), "giu");
  return new RegExp(query, /\p{Lu}/u.test(query.replace(/\\[pP]\{.*?\}|\\./g, "")) ? "gu" : "giu");
}

/** Kind of filter → its arguments → which segments it keeps. */
const KINDS = {
  text(field, query, flags = "") {
    const fields = fieldsOf(field);
    if (flags.includes("r")) {
      const pattern = patternOf(query, flags);
      return (index) => fields.some((one) => (pattern.ignoreCase ? haystack : made)(one, index).search(pattern) >= 0);
    }
    const low = query.toLowerCase().replace(/\s+/g, " ");
    return (index) => fields.some((one) => haystack(one, index).includes(low));
  },
  range: isWithin,
  has(choice) {
    const value = measured(choice);
    return (index) => value(index) > 0 && value(index) !== NO_VALUE;
  },
  differ(measure, first, second) {
    if (measure === "text") return (index) => data.segments.systems[first].hypothesis[index] !== data.segments.systems[second].hypothesis[index];
    if (measure === "score") return (index) => difference(index, first, second) !== 0;
    const [one, other] = [first, second].map((system) => column(Number(system), measure));
    return (index) => one[index] !== other[index];
  },
  frequency(low, high, system) {
    return hasWord(data.segments.references, (word) => frequencyOf(word) >= Number(low) && !(high && frequencyOf(word) > Number(high)), system);
  },
  label(at, place, system) {
    return hasWord(data.groups[at].words, (label) => label === Number(place), system);
  },
  won(first, second, phrase) {
    const list = phrase.split(" ");
    return (index) => {
      if (!hasPhrase(index, phrase)) return false;
      const [one, other] = [first, second].map((system) => segmentOf(Number(system), index));
      return timesMatched(one, list) > timesMatched(other, list)
        && (one.place === other.place || [one, other].every((segment) => timesIn(segment.referenceWords, list)));
    };
  },
  missed(system, phrase) {
    const list = phrase.split(" ");
    return (index) => {
      if (!hasPhrase(index, phrase)) return false;
      const segment = segmentOf(Number(system), index);
      return timesIn(segment.referenceWords, list) > timesMatched(segment, list);
    };
  },
  said(system, phrase) {
    return (index) => {
      if (!hasPhrase(index, phrase)) return false;
      const {matches, referenceWords, hypothesisWords} = segmentOf(Number(system), index);
      return matches.some(([start, length, other, others]) => referenceWords.slice(start, start + length).join(" ") === phrase
        && hypothesisWords.slice(other, other + others).join(" ") !== phrase);
    };
  },
  check(name, system, other) {
    const found = data.checks[name][system], others = other === undefined ? {} : data.checks[name][other];
    return (index) => index in found && !(index in others);
  },
  opposite(at, first, second) {
    const theirs = preference(`metric${at}`, [first, second]);
    return (index) => difference(index, first, second) * theirs(index) < 0;
  },
  group(at, place) {
    const places = groupPlaces[at];
    return (index) => places[index] === Number(place);
  },
  starred: () => (index) => Boolean(notes[index + 1]?.star),
  noted: () => (index) => Boolean(notes[index + 1]?.text),
};

function letterOf(system) {
  return data.marks[Number(system)];
}

function lettersOf(choice) {
  return choice.split(" ")[0].split("-").map(letterOf).join(" − ");
}

function oneWord(system) {
  return system ? `${letterOf(system)} misses a word` : "a word of the reference";
}

/** The text of a filter on its button. */
function filterText([kind, ...rest]) {
  const [first, second, third] = rest;
  const field = {all: "any text", source: "source", reference: "reference"};
  return {
    text: () => `${field[first] ?? letterOf(first)} ${third?.includes("r") ? "matches" : "has"} “${(second ?? "").trim()}”`,
    range: () => `${called(first.split(" ")[1])} of ${lettersOf(first)}: ${second || "…"} to ${third || "…"}`,
    has: () => `${lettersOf(first)} has ${called(first.split(" ")[1])}`,
    differ: () => `${letterOf(second)} and ${letterOf(third)} differ in ${called(first)}`,
    frequency: () => `${oneWord(third)} that occurs ${first} to ${second || "…"} times`,
    label: () => `${oneWord(third)} with ${groupText(first, second)}`,
    won: () => `${letterOf(first)} matches “${third}”, ${letterOf(second)} does not`,
    missed: () => `${letterOf(first)} does not match “${second}”`,
    said: () => `${letterOf(first)} has “${second}” in other words`,
    check: () => `${letterOf(second)}${third ? `, not ${letterOf(third)}` : ""}: ${first}`,
    opposite: () => `METEOR and ${called(`metric${first}`)} prefer different ones of ${letterOf(second)} and ${letterOf(third)}`,
    group: () => groupText(first, second), starred: () => "starred", noted: () => "with a note",
  }[kind]();
}

/** A filter from an address, or null where it is none. */
function readFilter(text) {
  try {
    const filter = text.split(",").map(decodeURIComponent);
    if (!Object.hasOwn(KINDS, filter[0])) return null;
    filterText(filter);
    const keeps = KINDS[filter[0]](...filter.slice(1));
    if (count) keeps(0);
    return filter;
  } catch {
    return null;
  }
}

/** The filters in the fields of the form, which change while someone types. */
function formFilters() {
  const value = (id) => byId(id).value;
  const found = [];
  if (value("query").trim()) found.push(["text", value("field"), value("query"), byId("regex").checked ? "r" : ""]);
  if (value("least") !== "" || value("most") !== "") found.push(["range", value("measure").replace("difference", pair.join("-")), value("least"), value("most")]);
  return found;
}

function addressOf(segment = null) {
  const [first, second] = pair, parts = segment === null ? [] : [`seg-${segment + 1}`];
  if (first !== DEFAULT_PAIR[0] || second !== DEFAULT_PAIR[1]) parts.push(`pair=${first},${second}`);
  if (order !== "file up") parts.push(`sort=${order.replace(" ", "-")}`);
  for (const filter of [...filters, ...formFilters()]) parts.push(`f=${filter.map(encodeURIComponent).join(",")}`);
  return `#${parts.join("&")}`;
}

/** Take over what an address says; other addresses, such as #words, change nothing. */
function readAddress() {
  const parts = location.hash.slice(1).split("&");
  if (location.hash && !parts.every((part) => /^(seg-\d+$|pair=|sort=|f=)/.test(part))) return;
  const given = (name) => parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const chosen = given("pair")[0]?.split(",").map(Number) ?? DEFAULT_PAIR;
  pair = chosen.length === 2 && chosen.every((system) => system in systems) ? [...chosen] : [...DEFAULT_PAIR];
  order = given("sort")[0]?.replace("-", " ") ?? "file up";
  filters = given("f").map(readFilter).filter(Boolean);
  byId("filter").reset();
  drawCompared();
}

/** Show exactly these segments; Back returns to what was shown. */
function showOnly(...chosen) {
  byId("filter").reset();
  filters = [];
  showAlso(...chosen);
}

/** Show those of the listed segments that these filters keep, too. */
function showAlso(...more) {
  keep(...more);
  byId("segments").scrollIntoView();
  byId("found").focus({preventScroll: true});
}

/** Show exactly these segments in this order. */
function showSorted(by, ...chosen) {
  order = by;
  showOnly(...chosen);
}

/** Keep what the form says, or more, as filters that can be removed one by one. */
function keep(...more) {
  const known = new Set(filters.map(String));
  filters = [...filters, ...[...formFilters(), ...more.map((filter) => filter.map(String))].filter((filter) => !known.has(String(filter)))];
  for (const id of ["query", "least", "most"]) byId(id).value = "";
  history.pushState(null, "", addressOf());
  drawTable();
}

function removeFilter(at) {
  filters.splice(at, 1);
  history.pushState(null, "", addressOf());
  drawTable();
  (byId("chips").querySelectorAll("button")[at] ?? byId("found")).focus();
}

let chipsShown = "[]";

function drawChips() {
  if (chipsShown === JSON.stringify(filters)) return;
  chipsShown = JSON.stringify(filters);
  byId("chips").replaceChildren(...filters.map((filter, at) => el("li", {},
    el("button", {type: "button", "aria-label": `Remove the filter: ${clipped(filterText(filter), 100)}`, onclick: () => removeFilter(at)},
      el("bdi", {}, clipped(filterText(filter), 100)), el("span", {"aria-hidden": "true"}, " ✕")))));
}
