// Histograms and the scatter plot.

const HEIGHT = 90, BAR = 12;

function bandText(band, differences) {
  if (!differences) return `${(band / 20).toFixed(2)} to ${((band + 1) / 20).toFixed(2)}`;
  if (band === 10) return "no difference";
  return band < 10 ? `−${((10 - band) / 10).toFixed(1)} to −${((9 - band) / 10).toFixed(1)}`
    : `+${((band - 11) / 10).toFixed(1)} to +${((band - 10) / 10).toFixed(1)}`;
}

/**
 * Counts as bars.
 * @param counts one for each band, the last for segments without a value
 * @param tone of a band → the class of its bar
 */
function histogram(counts, {label, tone, differences, highest, pick}) {
  const bars = counts.slice(0, -1), missing = counts.at(-1), width = bars.length * BAR;
  const peak = bars.indexOf(Math.max(...bars));
  const told = `${label}: most segments, ${grouped(bars[peak])}, in ${bandText(peak, differences)}`;
  const drawn = svg("svg", {viewBox: `0 -12 ${width} ${HEIGHT + 28}`, role: "img", "aria-label": told, class: "histogram"},
    svg("line", {class: "axis", x1: 0, x2: width, y1: HEIGHT, y2: HEIGHT}));
  bars.forEach((size, band) => {
    const height = size && Math.max(1, (size / highest) * HEIGHT);
    drawn.append(svg("g", {class: "band", onclick: () => pick(band)},
      svg("rect", {class: "target", x: band * BAR, y: 0, width: BAR, height: HEIGHT}),
      svg("rect", {class: tone(band), x: band * BAR + 1, y: HEIGHT - height, width: BAR - 2, height}),
      svg("title", {}, `${bandText(band, differences)}: ${grouped(size)} segments`)));
  });
  if (bars[peak]) {
    drawn.append(svg("text", {x: (peak + 0.5) * BAR, y: HEIGHT - (bars[peak] / highest) * HEIGHT - 3,
      "text-anchor": peak < 2 ? "start" : peak > bars.length - 3 ? "end" : "middle"}, grouped(bars[peak])));
  }
  const ticks = differences ? ["−1", "0", "+1"] : ["0", "0.5", "1"];
  ["start", "middle", "end"].forEach((anchor, at) =>
    drawn.append(svg("text", {x: (at * width) / 2, y: HEIGHT + 13, "text-anchor": anchor}, ticks[at])));
  return [drawn, missing ? el("p", {class: "note"}, `without a value: ${grouped(missing)}`) : null];
}

const MEASURE_NAMES = {score: "Score", precision: "Precision", recall: "Recall", fragmentation: "Fragmentation"};

/** A panel for each measure: the systems below each other, and the difference of the two that are compared. */
function drawHistograms(pair) {
  const panels = data.measures.map((measure, at) => {
    const highest = Math.max(1, ...data.bands.flatMap((each) => each[at].slice(0, -1)));
    const figures = systems.map((name, system) => el("figure", {},
      el("figcaption", {}, named(system)),
      histogram(data.bands[system][at], {
        label: `${MEASURE_NAMES[measure]} of ${name}`, tone: () => `fill system-${system % 6}`, highest,
        pick: (band) => filterBand(`${system} ${measure}`, band / 20, (band + 1) / 20, band === 19),
      })));
    return el("section", {class: "card"}, el("h3", {}, MEASURE_NAMES[measure]), figures,
      pair && differenceFigure(measure, at, pair));
  });
  document.getElementById("histograms").replaceChildren(...panels);
}

function differenceBands(at, [first, second]) {
  if (first === second) return null;
  const {found, turned} = pairData(first, second);
  const counts = found.bands[at];
  return turned ? [...counts.slice(0, -1).reverse(), counts.at(-1)] : counts;
}

function differenceFigure(measure, at, pair) {
  const [first, second] = pair, counts = differenceBands(at, pair);
  return counts && el("figure", {class: "difference"},
    el("figcaption", {}, badge(first), " minus ", badge(second)),
    histogram(counts, {
      label: `${MEASURE_NAMES[measure]}, ${systems[first]} minus ${systems[second]}`, differences: true,
      highest: Math.max(1, ...counts.slice(0, -1)),
      tone: (band) => `fill ${band === 10 ? "equal" : `system-${(band > 10 ? first : second) % 6}`}`,
      pick: (band) => filterBand(`difference ${measure}`, ...differenceRange(band)),
    }));
}

/** From and to of a band of differences; the end towards 0 does not belong to it. */
function differenceRange(band) {
  if (band === 10) return [0, 0, true];
  return band < 10 ? [(band - 10) / 10, (band - 9) / 10, false] : [(band - 11) / 10 + 1 / UNIT, (band - 10) / 10, true];
}

function bandsTable(pair) {
  const rows = (list, differences, header, cells) => el("table", {},
    el("thead", {}, el("tr", {}, el("th", {scope: "col"}, header),
      list.map((heading) => el("th", {scope: "col", class: "number"}, heading)))),
    el("tbody", {}, cells.map((row, band) => el("tr", {}, el("th", {scope: "row"},
      band < cells.length - 1 ? bandText(band, differences) : "without a value"),
    row.map((size) => el("td", {class: "number"}, grouped(size)))))));
  const transposed = (columns) => columns[0].map((_, band) => columns.map((each) => each[band]));
  return data.measures.map((measure, at) => {
    const columns = data.bands.map((each) => each[at]);
    const counts = pair && differenceBands(at, pair);
    return el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": `Bands of ${measure}`},
      rows(systems.map((_, system) => badge(system)), false, MEASURE_NAMES[measure], transposed(columns)),
      counts && rows([[badge(pair[0]), " minus ", badge(pair[1])]], true, `${MEASURE_NAMES[measure]}, difference`,
        transposed([counts])));
  });
}

const FIELD = 400;

/** Dots at 200 × 200 places, darker where they are several; a click goes to the nearest segment. */
function drawScatter([up, across], chosen) {
  const xs = column(across, "score"), ys = column(up, "score");
  const paths = {faint: [], one: [], few: [], many: []}, places = new Map();
  for (let index = 0; index < count; index++) {
    const key = Math.round(xs[index] / 50) * 1000 + Math.round(ys[index] / 50);
    const place = places.get(key) ?? {size: 0, chosen: false};
    places.set(key, {size: place.size + 1, chosen: place.chosen || !chosen || chosen[index] === 1});
  }
  for (const [key, place] of places) {
    const name = !place.chosen ? "faint" : place.size === 1 ? "one" : place.size < 5 ? "few" : "many";
    paths[name].push(`M${Math.floor(key / 1000) * 2} ${FIELD - (key % 1000) * 2}h0`);
  }
  const drawn = svg("svg", {viewBox: `-46 -14 ${FIELD + 60} ${FIELD + 62}`, class: "scatter", role: "img",
    "aria-labelledby": "scatter-heading", "aria-describedby": "scatter-note"},
  svg("rect", {class: "field", width: FIELD, height: FIELD}),
  [0, 0.25, 0.5, 0.75, 1].map((tick) => [
    svg("line", {class: "grid", x1: tick * FIELD, x2: tick * FIELD, y1: 0, y2: FIELD}),
    svg("line", {class: "grid", y1: tick * FIELD, y2: tick * FIELD, x1: 0, x2: FIELD}),
    svg("text", {x: tick * FIELD, y: FIELD + 16, "text-anchor": "middle"}, String(tick)),
    svg("text", {x: -8, y: FIELD - tick * FIELD + 4, "text-anchor": "end"}, String(tick))]).flat(),
  svg("line", {class: "diagonal", x1: 0, y1: FIELD, x2: FIELD, y2: 0}),
  Object.entries(paths).map(([name, dots]) => svg("path", {class: `dots ${name}`, d: dots.join("")})),
  svg("text", {class: "label", x: FIELD / 2, y: FIELD + 38, "text-anchor": "middle"}, `${data.marks[across]} · score →`),
  svg("text", {class: "label", x: -FIELD / 2, y: -32, "text-anchor": "middle", transform: "rotate(-90)"},
    `${data.marks[up]} · score →`),
  svg("text", {class: "corner", x: FIELD - 8, y: FIELD - 10, "text-anchor": "end"}, `${data.marks[across]} is better`),
  svg("text", {class: "corner", x: 8, y: 20}, `${data.marks[up]} is better`));
  const mark = svg("circle", {class: "nearest", r: 6, cx: -99, cy: -99});
  const told = svg("title", {}, "");
  drawn.append(mark, told);
  const nearest = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawn.getScreenCTM().inverse());
    let best = -1, least = 12 * 12;
    for (let index = 0; index < count; index++) {
      if (chosen && !chosen[index]) continue;
      const distance = (xs[index] * FIELD / UNIT - at.x) ** 2 + (FIELD - ys[index] * FIELD / UNIT - at.y) ** 2;
      if (distance < least) [best, least] = [index, distance];
    }
    return best;
  };
  drawn.addEventListener("pointermove", (event) => {
    const index = nearest(event);
    mark.setAttribute("cx", index < 0 ? -99 : xs[index] * FIELD / UNIT);
    mark.setAttribute("cy", index < 0 ? -99 : FIELD - ys[index] * FIELD / UNIT);
    told.textContent = index < 0 ? "" : `segment ${index + 1}: ${shownUnits(xs[index])}, ${shownUnits(ys[index])}`;
    drawn.classList.toggle("near", index >= 0);
  });
  drawn.addEventListener("click", (event) => {
    const index = nearest(event);
    if (index >= 0) showSegment(index);
  });
  document.getElementById("scatter-plot").replaceChildren(drawn);
}
