// Tables of groups of segments, such as documents, and of words by label: sorted; a click lists the segments of a group.

const GROUPS_DRAWN = 200;
const groupPlaces = data.groups.map(({places}) => numbers(places));
const chosenOrders = {};

/** How a table of groups is sorted: as chosen, or by the largest lead of the better system, which the paragraph names. */
function groupOrder(at) {
  const {ordered, words} = data.groups[at], [first, second] = pair;
  if (chosenOrders[at]) return chosenOrders[at];
  if (words) return "size down";
  if (ordered) return "label up";
  if (first === second) return `${first} up`;
  const {found, turned} = pairData(first, second);
  return `difference ${turnedUnits(found.why.units, turned) < 0 ? "up" : "down"}`;
}

function groupText(at, place) {
  return `${data.groups[at].name}: ${data.groups[at].labels[place].trim()}`;
}

/** The groups as their table is sorted: by place, size, score or difference; those without a value come last. */
function groupRows(at, [first, second]) {
  const {labels, sizes, scores} = data.groups[at], [key, way] = groupOrder(at).split(" "), sign = way === "up" ? 1 : -1;
  const gap = (place) => (scores[first][place] === null || scores[second][place] === null ? null : scores[first][place] - scores[second][place]);
  const value = {label: (place) => place, size: (place) => sizes[place], difference: gap}[key] ?? ((place) => scores[key][place]);
  return labels.map((label, place) => ({label, place, size: sizes[place], gap: gap(place), value: value(place)}))
    .sort((one, other) => (one.value === null) - (other.value === null) || sign * (one.value - other.value) || one.place - other.place);
}

function groupTable(at) {
  const {name, note, labels, scores, words} = data.groups[at], compared = pair[0] !== pair[1];
  const head = (key, text, attributes) => sortHeading(text, key, groupOrder(at), `group-${at}-${key}`, (chosen) => {
    chosenOrders[at] = chosen;
    drawGroups();
    byId(`group-${at}-${key}`).focus();
  }, attributes);
  const shown = (value, text) => (value === null ? "–" : text(value));
  const pick = (text, ...filter) => textButton(() => showSorted(words ? order : `${pair[0]} up`, [words ? "label" : "group", at, ...filter]), text);
  const rows = groupRows(at, pair).slice(0, GROUPS_DRAWN).map(({label, place, size, gap}) => el("tr", {},
    rowHead(pick(clipped(label, 80), place)),
    numberCell(grouped(size)),
    scores.map((each, system) => numberCell(words ? pick(shown(each[place], digits), place, system) : shown(each[place], digits))),
    compared && numberCell(shown(gap, signed))));
  return el("section", {class: "card"}, el("h3", {}, el("bdi", {}, `${data.groups[at].ordered ? "" : "By "}${clipped(name, 60)}`)),
    folded(name, el("table", {class: "groups"},
      el("thead", {}, el("tr", {}, head("label", words ? "Label" : "Group", {class: ""}), head("size", words ? "Words" : "Segments"), systems.map((_, system) => head(String(system), badge(system))),
        compared && head("difference", [badge(pair[0]), "−", badge(pair[1])]))),
      el("tbody", {}, rows))),
    remark(note, labels.length > GROUPS_DRAWN && ` ${GROUPS_DRAWN} of ${grouped(labels.length)} groups are drawn: sort for others.`));
}

function drawGroups() {
  const telling = [...data.groups.keys()].filter((at) => data.groups[at].labels.length > 1);
  const [ofWords, others] = [true, false].map((isOfWords) => telling.filter((at) => Boolean(data.groups[at].words) === isOfWords));
  byId("label-tables").replaceChildren(...ofWords.map(groupTable));
  byId("group-tables").replaceChildren(...others.map(groupTable));
  byId("by-group").hidden = !others.length;
}
