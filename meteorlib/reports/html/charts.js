// Histograms and the scatter plot.

const HEIGHT = 110, BAND = 24, MOST_SYSTEMS = 6;

/** A band of values, kind 0, or of differences, kind 1 and more: its text, and the filter that lists its segments. */
function bandText(band, kind) {
  return data.bandRanges[kind][band][0];
}

function filterBand(choice, band, kind) {
  showOnly(["range", choice, ...data.bandRanges[kind][band].slice(1)]);
}

/**
 * Counts as bars, those of several systems beside each other in each band.
 * @param series {counts, label, tone, pick}: counts has one for each band, the last for segments without a value;
 *   tone gives the class of the bar of a band, pick lists its segments
 */
function histogram(series, kind) {
  const size = series[0].counts.length - 1, width = size * BAND, bar = (BAND - 3) / series.length;
  const highest = Math.max(1, ...series.flatMap(({counts}) => counts.slice(0, -1)));
  const told = series.map(({counts, label}) => {
    const bars = counts.slice(0, -1), peak = bars.indexOf(Math.max(...bars));
    return `${label}: most segments, ${grouped(bars[peak])}, in ${bandText(peak, kind)}`;
  });
  const drawn = svg("svg", {viewBox: `0 -12 ${width} ${HEIGHT + 30}`, role: "img", "aria-label": told.join("; "), class: "histogram"},
    svg("line", {class: "axis", x1: 0, x2: width, y1: HEIGHT, y2: HEIGHT}),
    svg("text", {x: 0, y: -2}, `tallest bar: ${grouped(highest)} segments`));
  series.forEach(({counts, label, tone, pick}, at) => counts.slice(0, -1).forEach((found, band) => {
    const height = found && Math.max(1, (found / highest) * HEIGHT), x = band * BAND + 1.5 + at * bar;
    drawn.append(svg("g", {class: "band", onclick: () => pick(band)},
      svg("rect", {class: "target", x, y: 0, width: bar, height: HEIGHT}),
      svg("rect", {class: tone(band), x, y: HEIGHT - height, width: bar, height}),
      svg("title", {}, `${label}, ${bandText(band, kind)}: ${grouped(found)} segments`)));
  }));
  const end = kind && 1 / data.zooms[kind - 1], ticks = kind ? [`−${end}`, "0", `+${end}`] : ["0", "0.5", "1"];
  ["start", "middle", "end"].forEach((anchor, at) =>
    drawn.append(svg("text", {x: (at * width) / 2, y: HEIGHT + 15, "text-anchor": anchor}, ticks[at])));
  return [drawn, ...series.filter(({counts}) => counts.at(-1)).map(({counts, label}) =>
    remark(`${label}: ${grouped(counts.at(-1))} without a value`))];
}

const capital = (measure) => measure[0].toUpperCase() + measure.slice(1);
let measureShown = 0;

/** The systems over each other, of many the two that are compared, and the difference of these. */
function drawHistograms(pair) {
  const at = measureShown, measure = data.measures[at];
  const chosen = systems.map((_, system) => system).filter((system) => systems.length <= MOST_SYSTEMS || pair.includes(system));
  const series = chosen.map((system) => ({
    counts: data.bands[system][at], label: data.marks[system], tone: () => `fill system-${system % 6}`,
    pick: (band) => filterBand(`${system} ${measure}`, band, 0),
  }));
  byId("histograms").replaceChildren(
    el("fieldset", {class: "choice"}, el("legend", {class: "hidden"}, "Measure"), data.measures.map((name, place) => el("label", {},
      el("input", {type: "radio", name: "spread", value: name, checked: place === at, onchange: () => {
        measureShown = place;
        drawHistograms(pair);
        document.querySelector(`[name=spread][value=${name}]`).focus();
      }}), ` ${capital(name)}`))),
    el("section", {class: "card"}, el("h3", {}, capital(measure)), el("figure", {},
      el("figcaption", {}, chosen.flatMap((system) => [...named(system), " "])), histogram(series, 0))),
    ...[pair && differenceFigure(measure, at, pair)].filter(Boolean));
}

function differenceBands(at, [first, second]) {
  if (first === second) return null;
  const {found, turned} = pairData(first, second);
  const [zoom, counts] = found.bands[at];
  return [zoom + 1, turned ? [...counts.slice(0, -1).reverse(), counts.at(-1)] : counts];
}

function differenceFigure(measure, at, pair) {
  const [first, second] = pair, [kind, counts] = differenceBands(at, pair) ?? [];
  return counts && el("section", {class: "card"}, el("h3", {}, "Difference"), el("figure", {class: "difference"},
    el("figcaption", {}, badge(first), " minus ", badge(second)),
    histogram([{
      counts, label: `${capital(measure)}, ${data.marks[first]} minus ${data.marks[second]}`,
      tone: (band) => `fill ${band === 10 ? "equal" : `system-${(band > 10 ? first : second) % 6}`}`,
      pick: (band) => filterBand(`${first}-${second} ${measure}`, band, kind),
    }], kind)));
}

function bandsTable(pair) {
  const rows = (list, kind, header, cells) => el("table", {},
    el("thead", {}, el("tr", {}, el("th", {scope: "col"}, header),
      list.map((heading) => el("th", {scope: "col", class: "number"}, heading)))),
    el("tbody", {}, cells.map((row, band) => el("tr", {}, el("th", {scope: "row"},
      band < cells.length - 1 ? bandText(band, kind) : "without a value"),
    row.map((size) => numberCell(grouped(size)))))));
  const transposed = (columns) => columns[0].map((_, band) => columns.map((each) => each[band]));
  return data.measures.map((measure, at) => {
    const columns = data.bands.map((each) => each[at]);
    const [kind, counts] = (pair && differenceBands(at, pair)) ?? [];
    return region(`Bands of ${measure}`, "",
      rows(systems.map((_, system) => badge(system)), 0, capital(measure), transposed(columns)),
      counts && rows([[badge(pair[0]), " minus ", badge(pair[1])]], kind, `${capital(measure)}, difference`,
        transposed([counts])));
  });
}
