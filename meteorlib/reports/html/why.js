// Why one system is better than the other: the difference in the bar, the paragraph, and the shares.

/** A number of the pair, in the direction of the page. */
function turnedUnits(units, turned) {
  return turned ? -units : units;
}

function signedUnits(value) {
  return signed(value / UNIT);
}

function drawWhy([first, second]) {
  if (systems.length < 2) return;
  const {found, turned} = first === second ? {} : pairData(first, second);
  const why = found?.why;
  byId("answer").replaceChildren(why ? `${why.text} ` : "Choose two different systems.", ...(found?.evidence ?? []).map(part));
  byId("parts").replaceChildren(...(why?.parts ?? []).map(part));
  byId("effect").replaceChildren(...(why ? effect(why, turned) : []));
  byId("shares").replaceChildren(...(why ? why.views.filter(([, rows]) => rows.length).map((view) => shareTable(view, why.units, turned)) : []));
}

/** A part of a paragraph: a text, or a text that lists the segments behind it. */
function part(told) {
  if (typeof told === "string") return told;
  const [text, kind, ...rest] = told;
  return kind === "share" ? shareLabel(text, ...rest) : textButton(() => showOnly([kind, ...rest]), text);
}

function effect(why, turned) {
  const value = turnedUnits(why.difference ?? why.units, turned);
  const ends = why.interval && why.interval.map((end) => turnedUnits(end, turned)).sort((one, other) => one - other);
  return [el("strong", {}, signedUnits(value)),
    ends && el("span", {}, ` [${ends.map(signedUnits).join(", ")}]`),
    why.p && el("span", {}, `p ${why.p} (${why.adjusted ? `Holm ${why.adjusted}` : "not adjusted"})`),
    ...why.metrics.map(([name, ahead, back, p]) => el("span", {class: "against"}, `${name} ${turned ? back : ahead}${p && `, p ${p}`}`))].filter(Boolean);
}

/** The measures of the shares, which the table can be sorted by. */
const PARTS = new Set(data.pairs.flatMap(({why}) => why.views.slice(0, -1).flatMap(([, rows]) => rows.map((row) => row[2]))));

/** A label of a share, which lists the segments behind it, largest difference first. */
function shareLabel(label, measure) {
  const [from, to] = measure.split("..");
  const filter = to === undefined ? ["differ", measure, ...pair] : ["range", "0 referenceWords", from, to];
  return textButton(() => showSorted(to === undefined ? `${measure}.distance down` : "distance down", filter), label);
}

function shareTable([heading, rows], total, turned) {
  const most = Math.max(1, ...rows.map(([, units]) => Math.abs(units)));
  const cells = rows.map(([label, units, measure]) => {
    const value = turnedUnits(units, turned), width = (50 * Math.abs(value)) / most;
    return el("tr", {}, rowHead(shareLabel(label, measure)), numberCell(signedUnits(value)),
      el("td", {class: "share"}, svg("svg", {class: `bar system-${pair[value < 0 ? 1 : 0] % 6}`, viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true"},
        svg("rect", {class: "track", width: 100, height: 6}), svg("rect", {x: value < 0 ? 50 - width : 50, width, height: 6}))));
  });
  return el("section", {class: "card"}, el("h3", {}, heading), el("table", {}, el("caption", {class: "hidden"}, `${heading}: shares of the difference`),
    el("tbody", {}, cells, el("tr", {class: "total"}, rowHead("together"), numberCell(signedUnits(turnedUnits(total, turned))), el("td", {})))));
}
