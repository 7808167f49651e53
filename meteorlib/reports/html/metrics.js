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
  return isMetric(measure) ? metricText(value) : shownUnits(value);
}

/** A value of a metric: in percent with two digits, smaller ones with four. */
function metricText(value) {
  return value.toFixed(Math.abs(value) < 2 ? 4 : 2).replace("-", "−");
}

/** The values of a sort key such as metric0.1, metric0.difference, metric0.opposite or metric0.apart; null where it is none. */
function metricKey(key) {
  const [, measure, what] = /^(metric\d+)\.(\d+|difference|opposite|apart)$/.exec(key) ?? [];
  if (!SCORED.includes(measure)) return null;
  const [first, second] = pair, values = (system) => column(system, measure);
  if (what in systems) return (index) => values(what)[index];
  const theirs = first === second ? (index) => values(first)[index] : (index) => values(first)[index] - values(second)[index];
  if (what === "difference") return theirs;
  const ours = first === second ? (index) => data.segments.systems[first].score[index] : (index) => difference(index, first, second);
  const turned = (index) => (isError(measure) ? -1 : 1) * theirs(index);
  if (what === "opposite") return (index) => ours(index) * turned(index);
  const [one, other] = [standardized(ours), standardized(turned)];
  return (index) => Math.abs(one(index) - other(index));
}

/** Values in standard deviations from their mean. */
function standardized(value) {
  const all = Float64Array.from({length: count}, (_, index) => value(index));
  const mean = all.reduce((sum, each) => sum + each, 0) / count;
  const deviation = Math.sqrt(all.reduce((sum, each) => sum + (each - mean) ** 2, 0) / count) || 1;
  return (index) => (all[index] - mean) / deviation;
}

/** The orders of the table by other metrics. */
function metricOrders() {
  const [first, second] = pair.map((system) => data.marks[system]);
  return SCORED.flatMap((measure) => [
    [`${measure}.apart down`, `METEOR and ${called(measure)} furthest apart${first === second ? "" : ` on ${first} − ${second}`}`],
    ...(first === second ? [] : [[`${measure}.opposite up`, `METEOR and ${called(measure)} prefer different systems`], [`${measure}.difference down`, `${called(measure)}: ${first} highest above ${second}`], [`${measure}.difference up`, `${called(measure)}: ${second} highest above ${first}`]]),
    ...systems.flatMap((_, system) => [[`${measure}.${system} up`, `lowest ${called(measure)} of ${data.marks[system]}`], [`${measure}.${system} down`, `highest ${called(measure)} of ${data.marks[system]}`]])]);
}

/** The values of metrics for a segment, below its score. */
function metricLines(system, index, measures = SCORED) {
  return measures.map((measure) => el("span", {class: "against"}, `${called(measure)} ${metricText(column(system, measure)[index])}`));
}
