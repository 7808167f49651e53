// Other metrics: as axes of the scatter plot, as sort keys, and beside the scores of a segment.

const SCORED = data.metrics.flatMap(({segments}, at) => (segments ? [`metric${at}`] : []));

function isError(measure) {
  return isMetric(measure) && data.metrics[measure.slice(6)].lowerIsBetter;
}

/** The choices of the axes: which of the two compared systems, and by what. */
const axes = {up: "0 score", across: "1 score"};

function axesShown() {
  return ["up", "across"].map((name) => {
    const [side, measure] = axes[name].split(" ");
    return {system: pair[side], measure, range: [0, UNIT]};
  });
}

function fillAxes() {
  for (const name of ["up", "across"]) {
    byId(`scatter-${name}`)?.replaceChildren(...[0, 1].flatMap((side) => ["score", ...SCORED].map((measure) => el("option",
      {value: `${side} ${measure}`, selected: axes[name] === `${side} ${measure}`}, axisName({system: pair[side], measure})))));
  }
}

/** Positions of the values of both axes, from 0 to 1; two axes of one metric have the same range. */
function placesOf(shown, same) {
  const values = shown.map(({system, measure}) => column(system, measure));
  const ranges = values.map((each) => each.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]));
  const joint = [Math.min(...ranges.map(([least]) => least)), Math.max(...ranges.map(([, most]) => most))];
  return values.map((each, at) => {
    if (isMetric(shown[at].measure)) shown[at].range = roundRange(same ? joint : ranges[at]);
    const [least, most] = shown[at].range;
    return Float64Array.from(each, (value) => (value - least) / (most - least || 1));
  });
}

/** A range of four round steps that holds these values. */
function roundRange([least, most]) {
  const unit = 10 ** Math.floor(Math.log10((most - least) / 4 || 1));
  const ranges = [1, 2, 2.5, 5, 10, 20].map((factor) => [Math.floor(least / factor / unit), factor * unit]);
  const [from, step] = ranges.find(([low, size]) => (low + 4) * size >= most);
  return [from * step, (from + 4) * step];
}

function axisName({system, measure}) {
  return `${data.marks[system]} · ${called(measure)}`;
}

function tickText({measure, range: [least, most]}, tick) {
  return isMetric(measure) ? String(Number((least + tick * (most - least)).toPrecision(4))) : String(tick);
}

function valueText({system, measure}, index) {
  const value = column(system, measure)[index];
  return isMetric(measure) ? metricText(value, measure) : shownUnits(value);
}

/** A value of a metric: in percent with two digits, others below 2 with four. */
function metricText(value, measure) {
  return value.toFixed(Math.abs(value) < 2 && !data.metrics[measure.slice(6)].percent ? 4 : 2).replace("-", "−");
}

/** The values of a sort key such as metric0.1, metric0.difference or metric0.opposite; null where it is none. */
function metricKey(key) {
  const [, measure, what] = /^(metric\d+)\.(\d+|difference|opposite)$/.exec(key) ?? [];
  if (!SCORED.includes(measure)) return null;
  if (what in systems) return (index) => column(what, measure)[index];
  const [one, other] = pair.map((system) => column(system, measure)), theirs = preference(measure, pair);
  return (index) => (what === "difference" ? one[index] - other[index] : difference(index, ...pair) * theirs(index));
}

/** By how much a metric prefers the first of two systems. */
function preference(measure, pair) {
  const [one, other] = pair.map((system) => column(Number(system), measure)), sign = isError(measure) ? -1 : 1;
  return (index) => sign * (one[index] - other[index]);
}

/** In the table of metrics, how many segments METEOR and each metric see differently. */
function drawOpposites(pair) {
  for (const cell of document.querySelectorAll("[data-apart]")) {
    const at = cell.dataset.apart, filter = ["opposite", at, ...pair], sizes = data.metrics[at].segments && pair[0] !== pair[1];
    cell.replaceChildren(sizes ? countButton(filter, () => showSorted(`metric${at}.opposite up`, filter)) : "–");
  }
}

/** A button with the number of segments that a filter keeps. */
function countButton([kind, ...rest], onclick) {
  const keeps = KINDS[kind](...rest);
  let size = 0;
  for (let index = 0; index < count; index++) size += keeps(index);
  return textButton(onclick, grouped(size));
}

/** The checks: how many segments of each system they find, and how many only of one of the two that are compared. */
function drawChecks([first, second]) {
  const only = first === second ? [] : [[first, second], [second, first]];
  const sides = [...systems.map((_, system) => [system]), ...only];
  const found = Object.entries(data.checks), some = found.filter(([, each]) => each.some((one) => Object.keys(one).length));
  const none = found.filter((each) => !some.includes(each)).map(([name]) => name);
  byId("check-table").replaceChildren(region("Checks", "", el("table", {},
    el("thead", {}, el("tr", {}, el("th", {scope: "col"}, el("span", {class: "hidden"}, "Check")),
      sides.map(([side, other]) => el("th", {scope: "col", class: "number"}, badge(side), other === undefined ? el("span", {class: "hidden"}, ` ${systems[side]}`) : " only")))),
    el("tbody", {}, some.map(([name]) => el("tr", {}, rowHead(name), sides.map((side) => {
      const filter = ["check", name, ...side];
      return numberCell(countButton(filter, () => showAlso(filter)));
    })))))), ...(none.length ? [remark(`No segment: ${none.join(", ")}.`)] : []));
}

/** The orders of the table by other metrics. */
function metricOrders() {
  const [first, second] = pair.map((system) => data.marks[system]);
  return SCORED.flatMap((measure) => [
    ...(first === second ? [] : [[`${measure}.opposite up`, `METEOR and ${called(measure)} prefer different systems`], [`${measure}.difference down`, `${called(measure)}: ${first} highest above ${second}`], [`${measure}.difference up`, `${called(measure)}: ${second} highest above ${first}`]]),
    ...systems.flatMap((_, system) => [[`${measure}.${system} up`, `lowest ${called(measure)} of ${data.marks[system]}`], [`${measure}.${system} down`, `highest ${called(measure)} of ${data.marks[system]}`]])]);
}

/** The values of metrics for a segment, below its score. */
function metricLines(system, index, measures = SCORED) {
  return measures.map((measure) => el("span", {class: "against"}, `${called(measure)} ${metricText(column(system, measure)[index], measure)}`));
}
