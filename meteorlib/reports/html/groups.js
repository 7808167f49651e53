// Tables of groups of segments, such as documents, and of words by label: sorted; a click lists the segments of a group.

const GROUPS_DRAWN = 200;
const groupPlaces = data.groups.map(({places}) => numbers(places));
const groupOrders = data.groups.map(({ordered, words}) => (words ? "size down" : ordered ? "label up" : `${DEFAULT_PAIR[0]} up`));

function groupText(at, place) {
  return `${data.groups[at].name}: ${data.groups[at].labels[place].trim()}`;
}

/** The groups as their table is sorted: by place, size, score or difference; those without a value come last. */
function groupRows(at, [first, second]) {
  const {labels, sizes, scores} = data.groups[at], [key, way] = groupOrders[at].split(" "), sign = way === "up" ? 1 : -1;
  const gap = (place) => (scores[first][place] === null || scores[second][place] === null ? null : scores[first][place] - scores[second][place]);
  const value = {label: (place) => place, size: (place) => sizes[place], difference: gap}[key] ?? ((place) => scores[key][place]);
  return labels.map((label, place) => ({label, place, size: sizes[place], gap: gap(place), value: value(place)}))
    .sort((one, other) => (one.value === null) - (other.value === null) || sign * (one.value - other.value) || one.place - other.place);
}

function groupTable(at) {
  const {name, note, labels, scores, words} = data.groups[at], compared = pair[0] !== pair[1];
  const head = (key, text, attributes) => sortHeading(text, key, groupOrders[at], `group-${at}-${key}`, (chosen) => {
    groupOrders[at] = chosen;
    drawGroups();
    byId(`group-${at}-${key}`).focus();
  }, attributes);
  const shown = (value, text) => (value === null ? "–" : text(value));
  const pick = (text, ...filter) => el("button", {type: "button", class: "text", dir: "auto", onclick: () => showSorted(words ? order : `${pair[0]} up`, [words ? "label" : "group", at, ...filter])}, text);
  const rows = groupRows(at, pair).slice(0, GROUPS_DRAWN).map(({label, place, size, gap}) => el("tr", {},
    el("th", {scope: "row"}, pick(clipped(label, 80), place)),
    numberCell(grouped(size)),
    scores.map((each, system) => numberCell(words ? pick(shown(each[place], digits), place, system) : shown(each[place], digits))),
    compared && numberCell(shown(gap, signed))));
  return el("section", {class: "card"}, el("h3", {}, el("bdi", {}, `${data.groups[at].ordered ? "" : "By "}${clipped(name, 60)}`)),
    el("p", {class: "note"}, note, labels.length > GROUPS_DRAWN && ` ${GROUPS_DRAWN} of ${grouped(labels.length)} groups are drawn: sort for others.`),
    region(name, "list", el("table", {class: "groups"},
      el("thead", {}, el("tr", {}, head("label", words ? "Label" : "Group", {class: ""}), head("size", words ? "Words" : "Segments"), systems.map((_, system) => head(String(system), badge(system))),
        compared && head("difference", [badge(pair[0]), "−", badge(pair[1])]))),
      el("tbody", {}, rows))));
}

function drawGroups() {
  const tables = data.groups.map((_, at) => groupTable(at)), isOfWords = (_, at) => data.groups[at].words;
  byId("label-tables").replaceChildren(...tables.filter(isOfWords));
  byId("group-tables").replaceChildren(...tables.filter((table, at) => !isOfWords(table, at)));
}
