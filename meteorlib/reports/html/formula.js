// The formula with its values. Its lines come from meteorlib.core.formula, the result of each from the scorer.

/** Measures that lines result in, by symbol; a line without one stands where another names it. */
const RESULTS = {P: "precision", R: "recall", Fmean: "f_mean", fragmentation: "fragmentation", crossing: "crossing",
  penalty: "penalty", score: "score"};
const OPERATIONS = {
  "+": (one, other) => one + other, "−": (one, other) => one - other, "·": (one, other) => one * other,
  "/": (one, other) => one / other, "^": (one, other) => one ** other, ",": Math.min,
};

/** A right-hand side as a tree: a number, {name}, or an operator and its operands; "min" has a comma as its operand. */
function parsed(side) {
  const tokens = side.match(/\{.*?\}|[\d.]+|min|\S/g);
  const atom = () => {
    const token = tokens.shift();
    if (token === "min") return ["min", atom()[1]];
    if (token !== "(") return token.startsWith("{") ? {name: token.slice(1, -1)} : token;
    const inside = expression();
    tokens.shift();
    return ["(", inside];
  };
  const expression = [["^"], ["·", "/"], ["+", "−"], [","]].reduce((operand, signs) => () => {
    let tree = operand();
    while (signs.includes(tokens[0])) tree = [tokens.shift(), tree, operand()];
    return tree;
  }, atom);
  return expression();
}

const lines = new Map(data.formula.map(([symbol, side, written]) => [symbol, {tree: parsed(side), written}]));

/** A tree with what `valueOf` gives for the names in it. */
function filled(tree, valueOf) {
  if (Array.isArray(tree)) return [tree[0], ...tree.slice(1).map((operand) => filled(operand, valueOf))];
  return tree.name === undefined ? tree : valueOf(tree.name);
}

function computedTree(tree) {
  if (!Array.isArray(tree)) return Number(tree);
  const [sign, ...operands] = tree;
  return (OPERATIONS[sign] ?? ((inside) => inside))(...operands.map(computedTree));
}

function dividesByNothing(tree) {
  return Array.isArray(tree) && ((tree[0] === "/" && !computedTree(tree[2])) || tree.slice(1).some(dividesByNothing));
}

/** A count as the formula has it: a word of weight 1 is 1. */
function amount(counted) {
  return counted / data.unit;
}

/** Counts of the stages by their weights, as a tree; counts come in the order content, function of each side. */
function weighted(segment, at) {
  const terms = data.stages.map(({weight}, stage) => ["·", weight, amount(segment.stages[stage][at])]).filter((term) => term[2]);
  return terms.length ? ["(", ["long", terms.reduce((sum, term) => ["+", sum, term])]] : 0;
}

function sideValues(side, length, functionWords, matches) {
  return {[`c${side}`]: amount(length - functionWords), [`f${side}`]: amount(functionWords), [`m${side}`]: matches};
}

/** The faults of a segment that are penalized: name, description, the values of their line, penalty. */
function penalizedFaults({faults}) {
  return data.faults.flatMap(({name, description, price, counted: [kind, at], whole: [of, factor, field]}) => {
    const values = {price, [kind]: faults[at], [of]: factor * faults[field]};
    return faults[at] && values[of]
      ? [{name, description, values, penalty: computedTree(filled(lines.get(name).tree, (given) => values[given]))}] : [];
  });
}

/** For each line with a result: its measure, the result, the line in symbols, and as a tree of its numbers. */
function linesOf(segment) {
  const penalized = penalizedFaults(segment);
  const none = data.faults.flatMap(({name}) => (penalized.some((fault) => fault.name === name) ? [] : [name]));
  const own = {
    Mh: {"Σ w·content": weighted(segment, 0), "Σ w·function": weighted(segment, 2)},
    Mr: {"Σ w·content": weighted(segment, 1), "Σ w·function": weighted(segment, 3)},
    ...Object.fromEntries(penalized.map(({name, values}) => [name, values])),
  };
  const results = Object.fromEntries(Object.entries(RESULTS).filter(([symbol]) => lines.has(symbol)).map(([symbol, measure]) =>
    [symbol, measure === "score" ? digits(segment.score) : shownUnits(segment[measure] ?? computed(segment, measure))]));
  const values = {
    ...data.constants, ...segment.order, ...results, "match pairs": segment.order?.matchPairs, "penalized chunks": segment.penalizedChunks,
    ...sideValues("h", segment.hypothesisLength, segment.hypothesisFunction, segment.hypothesisMatches),
    ...sideValues("r", segment.referenceLength, segment.referenceFunction, segment.referenceMatches),
  };
  const treeOf = (symbol) => filled(without(lines.get(symbol).tree, none), (name) =>
    own[symbol]?.[name] ?? values[name] ?? ["long", treeOf(name)]);
  if (lines.has("total")) values.total = results.total = shownUnits(Math.round(UNIT * computedTree(treeOf("total"))));
  return [...lines].filter(([symbol]) => symbol in results).map(([symbol, {written}]) =>
    ({measure: RESULTS[symbol] ?? symbol, symbol, result: results[symbol], written, tree: treeOf(symbol)}));
}

/** A tree without the terms of a sum that are only a name out of `names`. */
function without(tree, names) {
  if (!Array.isArray(tree)) return tree;
  const operands = tree.slice(1).map((operand) => without(operand, names));
  return tree[0] === "+" && names.includes(tree[2].name) ? operands[0] : [tree[0], ...operands];
}

/** A tree in MathML. */
function inMath(tree) {
  if (!Array.isArray(tree)) return math("mn", String(tree));
  const [sign, ...operands] = tree;
  const bare = (operand) => inMath(operand[0] === "(" ? operand[1] : operand);
  if (sign === "min") return math("mrow", math("mi", "min"), math("mo", "("), inMath(operands[0]), math("mo", ")"));
  if (sign === "/") return math("mfrac", ...operands.map(bare));
  if (sign === "^") return math("msup", ...operands.map(inMath));
  const [first, second] = operands.map(inMath);
  return sign === "(" ? math("mrow", math("mo", "("), first, math("mo", ")")) : math("mrow", first, math("mo", sign), second);
}

function isLong(tree) {
  return Array.isArray(tree) && (tree[0] === "long" || tree.slice(1).some(isLong));
}

/** A tree as parts of a line: what is short in MathML, long sums so that they wrap like text. */
function drawn(tree) {
  const [sign, ...operands] = Array.isArray(tree) ? tree : ["", tree];
  if (!isLong(tree) && !["+", ",", "min"].includes(sign)) {
    const shown = math("math", inMath(tree));
    shown.setAttribute("displaystyle", "true");
    return [shown];
  }
  const [first, second] = operands.map(drawn);
  if (sign === "/") return [el("span", {class: "fraction"}, el("span", {}, first), el("span", {class: "hidden"}, " / "), el("span", {}, second))];
  if (second) return [...first, {"+": " +\u00a0", ",": ", "}[sign] ?? sign, ...second];
  return sign === "long" ? first : [{min: "min("}[sign] ?? sign, ...first, ")"];
}

/** Note on the names in the lines. */
function namesNote() {
  return `h: hypothesis, r: reference; L: their lengths, M: their matches; ${data.unit === 1 ? "numbers" : "weights"} of content words (c) and function words (f), m: number of matched words, w: weight of a stage`;
}

function formula(segment) {
  return el("dl", {class: "formula"}, linesOf(segment).map(({measure, symbol, result, written, tree}) => {
    const name = called(measure);
    return el("div", {},
      el("dt", {}, name[0].toUpperCase() + name.slice(1), el("span", {class: "note"}, `${symbol === measure ? "" : `${symbol} `}= ${written}`)),
      el("dd", {}, ...(dividesByNothing(tree) ? ["nothing to divide by: "] : [el("span", {}, drawn(tree)), " =\u00a0"]), el("strong", {}, result)));
  }));
}
