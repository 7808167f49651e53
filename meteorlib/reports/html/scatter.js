// The scatter plot of two systems, or of two metrics.

const FIELD = 400;

/** Dots at 200 × 200 places, darker where they are several; a click goes to the nearest segment. */
function drawScatter(chosen) {
  const [up, across] = axesShown(), same = up.measure === across.measure;
  const [xs, ys] = placesOf([across, up], same);
  const paths = {faint: [], one: [], few: [], many: []}, places = new Map();
  for (let index = 0; index < count; index++) {
    const key = Math.round(xs[index] * 200) * 1000 + Math.round(ys[index] * 200);
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
    svg("text", {x: tick * FIELD, y: FIELD + 16, "text-anchor": "middle"}, tickText(across, tick)),
    svg("text", {x: -8, y: FIELD - tick * FIELD + 4, "text-anchor": "end"}, tickText(up, tick))]).flat(),
  same ? svg("line", {class: "diagonal", x1: 0, y1: FIELD, x2: FIELD, y2: 0}) : null,
  Object.entries(paths).map(([name, dots]) => svg("path", {class: `dots ${name}`, d: dots.join("")})),
  svg("text", {class: "label", x: FIELD / 2, y: FIELD + 38, "text-anchor": "middle"}, `${axisName(across)} →`),
  svg("text", {class: "label", x: -FIELD / 2, y: -32, "text-anchor": "middle", transform: "rotate(-90)"},
    `${axisName(up)} →`),
  same && [[FIELD - 8, FIELD - 10, "end", across], [8, 20, "start", up]].map(([x, y, anchor, axis]) =>
    svg("text", {class: "corner", x, y, "text-anchor": anchor}, `${data.marks[axis.system]} is ${isError(up.measure) ? "worse" : "better"}`)));
  byId("scatter-line").hidden = !same;
  const mark = svg("circle", {class: "nearest", r: 6, cx: -99, cy: -99});
  const told = svg("text", {class: "told", x: FIELD, y: -4, "text-anchor": "end"});
  drawn.append(mark, told);
  const nearest = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawn.getScreenCTM().inverse());
    let best = -1, least = 12 * 12;
    for (let index = 0; index < count; index++) {
      if (chosen && !chosen[index]) continue;
      const distance = (xs[index] * FIELD - at.x) ** 2 + (FIELD - ys[index] * FIELD - at.y) ** 2;
      if (distance < least) [best, least] = [index, distance];
    }
    return best;
  };
  drawn.addEventListener("pointermove", (event) => {
    const index = nearest(event);
    mark.setAttribute("cx", index < 0 ? -99 : xs[index] * FIELD);
    mark.setAttribute("cy", index < 0 ? -99 : FIELD - ys[index] * FIELD);
    told.textContent = index < 0 ? "" : [`no. ${grouped(index + 1)}`, ...[up, across].map((axis) => `${axisName(axis)} ${valueText(axis, index)}`)].join(", ");
    drawn.classList.toggle("near", index >= 0);
  });
  drawn.addEventListener("click", (event) => {
    const index = nearest(event);
    if (index >= 0) showSegment(index);
  });
  byId("scatter-plot").replaceChildren(drawn);
}
