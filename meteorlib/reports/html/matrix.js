// The matrix of an alignment: the words of the reference downwards, those of one system, or of two, across.

const CELL = 24, WORDS_DRAWN = 250, LETTERS_DRAWN = 22;

function room(...texts) {
  const longest = texts.flat().reduce((most, word) => Math.max(most, word.length > most ? [...word.slice(0, 99)].length : 0), 1);
  return 14 + 7.6 * Math.min(LETTERS_DRAWN, longest);
}

/** The matches or chunks that reach into what is drawn. */
function within(list, [down, right], [rows, columns]) {
  return list.filter(([reference, length, hypothesis, other]) => reference + length > down && hypothesis + other > right
    && reference < down + rows && hypothesis < right + columns);
}

/**
 * The matrix; of long texts the words that are scrolled to are drawn.
 * @param sides one system or two: {system, segment}, all of the same reference
 */
function matrix(sides) {
  const across = sides.map(({segment}) => segment.hypothesisWords), rows = sides[0].segment.referenceWords;
  const size = [Math.max(1, rows.length), Math.max(1, ...across.map((list) => list.length))];
  const frame = {reached: sides.map(({segment}) => covered(segment)), left: Math.max(room(rows), sides.length > 1 ? 84 : 0),
    tops: across.map((list) => room(list)), bottom: 6};
  frame.top = frame.tops.reduce((sum, each) => sum + each);
  const view = region("Matrix of the alignment", "");
  if (Math.max(...size) <= WORDS_DRAWN) {
    view.append(matrixFrom(sides, frame, [0, 0], size));
    return view;
  }
  const holder = el("div", {class: "window"}), field = el("div", {}, holder), note = el("p", {class: "note"});
  const draw = () => {
    const places = [[view.clientHeight - frame.top - frame.bottom, view.scrollTop], [view.clientWidth - frame.left, view.scrollLeft]];
    const shown = places.map(([pixels], side) => Math.min(size[side], Math.max(1, Math.floor((pixels - 2) / CELL))));
    const from = places.map(([, scrolled], side) => Math.min(size[side] - shown[side], Math.ceil(scrolled / CELL)));
    holder.replaceChildren(matrixFrom(sides, frame, from, shown));
    note.textContent = `Drawn: words ${from.map((at, side) => `${grouped(at + 1)} to ${grouped(at + shown[side])} of ${grouped(size[side])} ${side ? "across" : "downwards"}`).join(", ")}. Scroll to see others.`;
  };
  field.style.height = `${size[0] * CELL + frame.top + frame.bottom}px`;
  field.style.width = `${size[1] * CELL + frame.left}px`;
  view.classList.add("long");
  view.append(field);
  view.addEventListener("scroll", draw);
  new ResizeObserver(draw).observe(view);
  return el("div", {}, note, view);
}

function matrixFrom(sides, {reached, left, top, tops, bottom}, [down, right], [count, columns]) {
  const rows = sides[0].segment.referenceWords.slice(down, down + count);
  const across = sides.map(({segment}) => segment.hypothesisWords.slice(right, right + columns));
  const width = columns * CELL, height = count * CELL;
  const told = sides.map(({system, segment}) =>
    `${systems[system]}: ${segment.matches.length} matches in ${segment.chunkList.length} chunks`).join("; ");
  const drawn = svg("svg", {class: `matrix ${sides.length > 1 ? "overlaid" : "single"}`, role: "img",
    "aria-label": `Alignment with the reference. ${told}. The matches are listed below.`,
    width: left + width + 2, height: top + height + bottom, viewBox: `${-left} ${-top} ${left + width + 2} ${top + height + bottom}`});
  drawn.append(svg("rect", {class: "field", width, height}), gridLines(columns, count, width, height));
  rows.forEach((word, row) => drawn.append(label(word, {x: -7, y: (row + 0.5) * CELL + 4, "text-anchor": "end"},
    reached.some((side) => side.reference.has(down + row)))));
  across.forEach((list, side) => list.forEach((word, column) => {
    const lifted = sides.length > 1 && !side ? tops[1] : 0;
    drawn.append(label(word, {transform: `translate(${(column + 0.5) * CELL + 4} ${-7 - lifted}) rotate(-90)`},
      reached[side].hypothesis.has(right + column), sides.length > 1 && `of-system system-${sides[side].system % 6}`));
  }));
  const inside = svg("svg", {width, height, viewBox: `${right * CELL} ${down * CELL} ${width} ${height}`});
  drawn.append(inside);
  sides.forEach(({system, segment}, side) => {
    within(segment.matches, [down, right], [count, columns]).forEach((match) => inside.append(drawnMatch(match, segment, system, sides.length > 1 ? side + 1 : 0)));
    within(segment.chunkList, [down, right], [count, columns]).forEach(([reference, length, hypothesis, other]) => inside.append(svg("rect", {
      class: `chunk ${sides.length > 1 ? `system-${system % 6}` : ""} ${side ? "second" : ""}`, rx: 4,
      x: hypothesis * CELL + 1 + side, y: reference * CELL + 1 + side, width: other * CELL - 2 - 2 * side, height: length * CELL - 2 - 2 * side})));
  });
  const corners = sides.length < 2 ? [] : [
    svg("text", {class: `corner system-${sides[0].system % 6}`, x: -7, y: -10 - tops[1], "text-anchor": "end"}, `${data.marks[sides[0].system]} ◤ above`),
    svg("text", {class: `corner system-${sides[1].system % 6}`, x: -7, y: -10, "text-anchor": "end"}, `${data.marks[sides[1].system]} ◢ below`)];
  drawn.append(...corners);
  return drawn;
}

function gridLines(columns, rows, width, height) {
  const path = [];
  for (let row = 1; row < rows; row++) path.push(`M0 ${row * CELL}h${width}`);
  for (let column = 1; column < columns; column++) path.push(`M${column * CELL} 0v${height}`);
  return svg("path", {class: "grid", d: path.join("")});
}

function label(word, place, matched, tone) {
  const text = clipped(word, LETTERS_DRAWN);
  return svg("text", {...place, class: `${tone || ""} ${matched ? "" : "unmatched"}`, lang: wordLanguage}, text, text === word ? null : svg("title", {}, clipped(word)));
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
