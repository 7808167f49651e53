// The matrix of an alignment: the words of the reference downwards, those of one system, or of two, across.

const CELL = 24, WORDS_DRAWN = 250, LETTERS_DRAWN = 22;

function room(list) {
  return 14 + 7.6 * Math.min(LETTERS_DRAWN, Math.max(1, ...list.slice(0, WORDS_DRAWN).map((word) => [...word].length)));
}

/** The matches and chunks that lie within what is drawn. */
function within(list, down, right) {
  return list.filter(([reference, length, hypothesis, other]) => reference >= down && hypothesis >= right
    && reference + length <= down + WORDS_DRAWN && hypothesis + other <= right + WORDS_DRAWN);
}

/** The matrix; of long texts a window, which is moved by two sliders. */
function matrix(sides) {
  const lengths = [sides[0].segment.referenceWords.length, Math.max(...sides.map(({segment}) => segment.hypothesisWords.length))];
  const most = lengths.map((length) => Math.max(0, length - WORDS_DRAWN));
  if (!most.some(Boolean)) return matrixFrom(sides, [0, 0]);
  const from = [0, 0], place = el("div", {}, matrixFrom(sides, from)), note = el("p", {class: "note", role: "status"});
  const tell = () => {
    note.textContent = `Drawn: words ${from.map((at, side) => `${grouped(at + 1)} to ${grouped(Math.min(at + WORDS_DRAWN, lengths[side]))} of ${grouped(lengths[side])} ${side ? "across" : "downwards"}`).join(", ")}.`;
  };
  tell();
  return el("div", {}, el("div", {class: "choice"}, most.map((last, side) => last > 0 && el("label", {}, side ? "Across from " : "Downwards from ",
    el("input", {type: "range", min: 0, max: last, step: 1, value: 0, oninput: (event) => {
      from[side] = Number(event.target.value);
      place.replaceChildren(matrixFrom(sides, from));
      tell();
    }})))), note, place);
}

/**
 * @param sides one system or two: {system, segment}, all of the same reference
 */
function matrixFrom(sides, [down, right]) {
  const rows = sides[0].segment.referenceWords.slice(down, down + WORDS_DRAWN);
  const across = sides.map(({segment}) => segment.hypothesisWords.slice(right, right + WORDS_DRAWN));
  const columns = Math.max(1, ...across.map((list) => list.length));
  const left = Math.max(room(rows), sides.length > 1 ? 84 : 0), top = room(across[0]), bottom = across[1] ? room(across[1]) : 6;
  const width = columns * CELL, height = Math.max(1, rows.length) * CELL;
  const told = sides.map(({system, segment}) =>
    `${systems[system]}: ${segment.matches.length} matches in ${segment.chunkList.length} chunks`).join("; ");
  const drawn = svg("svg", {class: `matrix ${sides.length > 1 ? "overlaid" : "single"}`, role: "img",
    "aria-label": `Alignment with the reference. ${told}. The matches are listed below.`,
    width: left + width + 2, height: top + height + bottom, viewBox: `${-left} ${-top} ${left + width + 2} ${top + height + bottom}`});
  drawn.append(svg("rect", {class: "field", width, height}), gridLines(columns, rows.length, width, height));
  const reached = sides.map(({segment}) => covered(segment));
  rows.forEach((word, row) => drawn.append(label(word, {x: -7, y: (row + 0.5) * CELL + 4, "text-anchor": "end"},
    reached.some((side) => side.reference.has(down + row)))));
  across.forEach((list, side) => list.forEach((word, column) => {
    const x = (column + 0.5) * CELL;
    const place = side
      ? {transform: `translate(${x + 4} ${height + 7}) rotate(-90)`, "text-anchor": "end"}
      : {transform: `translate(${x + 4} -7) rotate(-90)`, "text-anchor": "start"};
    drawn.append(label(word, place, reached[side].hypothesis.has(right + column)));
  }));
  const inside = svg("g", {transform: `translate(${-right * CELL} ${-down * CELL})`});
  drawn.append(inside);
  sides.forEach(({system, segment}, side) => {
    within(segment.matches, down, right).forEach((match) => inside.append(drawnMatch(match, segment, system, sides.length > 1 ? side + 1 : 0)));
    within(segment.chunkList, down, right).forEach(([reference, length, hypothesis, other]) => inside.append(svg("rect", {
      class: `chunk ${sides.length > 1 ? `system-${system % 6}` : ""} ${side ? "second" : ""}`, rx: 4,
      x: hypothesis * CELL + 1 + side, y: reference * CELL + 1 + side, width: other * CELL - 2 - 2 * side, height: length * CELL - 2 - 2 * side})));
  });
  const corners = sides.length < 2 ? [] : [
    svg("text", {class: `corner system-${sides[0].system % 6}`, x: -7, y: -10, "text-anchor": "end"}, `${data.marks[sides[0].system]} ◤ above`),
    svg("text", {class: `corner system-${sides[1].system % 6}`, x: -7, y: height + 18, "text-anchor": "end"}, `${data.marks[sides[1].system]} ◢ below`)];
  drawn.append(...corners);
  return el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Matrix of the alignment"}, drawn);
}

function gridLines(columns, rows, width, height) {
  const path = [];
  for (let row = 1; row < rows; row++) path.push(`M0 ${row * CELL}h${width}`);
  for (let column = 1; column < columns; column++) path.push(`M${column * CELL} 0v${height}`);
  return svg("path", {class: "grid", d: path.join("")});
}

function label(word, place, matched) {
  const text = clipped(word, LETTERS_DRAWN);
  return svg("text", {...place, class: matched ? "" : "unmatched", lang: wordLanguage}, text, text === word ? null : svg("title", {}, clipped(word)));
}

function covered({matches}) {
  const found = {reference: new Set(), hypothesis: new Set()};
  for (const [reference, length, hypothesis, other] of matches) {
    for (let at = 0; at < length; at++) found.reference.add(reference + at);
    for (let at = 0; at < other; at++) found.hypothesis.add(hypothesis + at);
  }
  return found;
}

/** One match; alone it is a dot where the words are the same, else a field with the letter of its stage. */
function drawnMatch(match, segment, system, half) {
  const [reference, length, hypothesis, other, stage] = match;
  const x = hypothesis * CELL, y = reference * CELL, width = other * CELL, height = length * CELL;
  const name = data.stages[stage].name, exact = isExact(stage);
  const [ours, theirs] = [segment.referenceWords.slice(reference, reference + length),
    segment.hypothesisWords.slice(hypothesis, hypothesis + other)].map((list) => clipped(list.join(" ")));
  const said = `${ours} = ${theirs} (${name}${partOf(segment, segment.matches.indexOf(match))})`;
  const group = svg("g", {class: `match ${half ? `system-${system % 6}` : `stage-${stage % 6}`}`,
    "data-match": [reference, length, hypothesis, other, stage].join(" "), "data-system": system},
  svg("title", {}, half ? `${data.marks[system]}: ${said}` : said));
  if (half) {
    const [a, b] = half === 1 ? [3, 3] : [width - 3, height - 3];
    group.append(svg("path", {class: "mark", d: `M${x + a} ${y + b}L${x + width - 3} ${y + 3}L${x + 3} ${y + height - 3}Z`}));
    if (!exact) group.append(svg("text", {x: x + width * (half === 1 ? 0.34 : 0.66), y: y + height * (half === 1 ? 0.34 : 0.7) + 3, "text-anchor": "middle"}, data.stages[stage].mark));
  } else if (exact) {
    group.append(svg("circle", {class: "mark", cx: x + width / 2, cy: y + height / 2, r: CELL / 2 - 5}));
  } else {
    group.append(svg("rect", {class: "mark", x: x + 3, y: y + 3, width: width - 6, height: height - 6, rx: 3}),
      svg("text", {x: x + width / 2, y: y + height / 2 + 4, "text-anchor": "middle"}, data.stages[stage].mark));
  }
  return group;
}
