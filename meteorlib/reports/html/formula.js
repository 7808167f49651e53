// The formula with its values: each result is the scorer's, what stands before it says where it comes from.

function n(value) {
  return math("mn", typeof value === "number" ? String(value) : value);
}

function sum(terms) {
  return math("mrow", ...(terms.length ? terms.flatMap((term, at) => (at ? [math("mo", "+"), ...term] : term)) : [n(0)]));
}

function times(...factors) {
  return factors.flatMap((factor, at) => (at ? [math("mo", "·"), n(factor)] : [n(factor)]));
}

function fraction(above, below) {
  return math("mfrac", above, below);
}

function displayed(...terms) {
  const shown = math("math", ...terms);
  shown.setAttribute("displaystyle", "true");
  return shown;
}

/** A long sum, which wraps like text. */
function wrapped(terms) {
  return el("span", {}, (terms.length ? terms : [[n(0)]]).flatMap((term, at) => [at ? " +\u00a0" : "", displayed(...term)]));
}

/** A fraction of long sums. */
function wrappedFraction(above, below) {
  return el("span", {class: "fraction"}, above, el("span", {class: "hidden"}, " / "), below);
}

/** A count as the formula has it: a word of weight 1 is 1. */
function amount(count) {
  return count / data.unit;
}

function rest(value) {
  return Number((1 - value).toFixed(10));
}

/** Weighted matches of the stages on a side. Counts come in the order content, function of each side. */
function weightedMatches(segment, side) {
  const {delta} = data.parameters;
  return wrapped([[side, delta], [side + 2, rest(delta)]].flatMap(([at, share]) =>
    data.stages.flatMap(({weight}, stage) => {
      const counted = segment.stages[stage][at];
      return counted ? [weight === 1 ? times(amount(counted), share) : times(amount(counted), weight, share)] : [];
    })));
}

function weightedLength(length, functionWords) {
  const {delta} = data.parameters;
  return wrapped([[length - functionWords, delta], [functionWords, rest(delta)]].filter(([words]) => words)
    .map(([words, share]) => times(amount(words), share)));
}

function weightedMean({precision, recall}) {
  const {alpha} = data.parameters;
  const p = shownUnits(precision), r = shownUnits(recall);
  return data.formula === "meteor-1.5"
    ? fraction(n(1), math("mrow", fraction(n(rest(alpha)), n(p)), math("mo", "+"), fraction(n(alpha), n(r))))
    : fraction(math("mrow", ...times(p, r)), sum([times(alpha, p), times(rest(alpha), r)]));
}

function half(...terms) {
  const above = terms.length > 1 ? [math("mo", "("), sum(terms.map((term) => [n(term)])), math("mo", ")")] : [n(terms[0])];
  return math("mrow", ...above, math("mo", "/"), n(2));
}

/** A factor times a share to a power. */
function powered(factor, share, exponent) {
  return [n(factor), math("mo", "·"), math("msup", n(shownUnits(share)), n(exponent))];
}

/** The faults of a segment that are penalized: name, kind, count, what it is a share of, penalty, … */
function penalizedFaults({faults, chunks, penalizedChunks}) {
  const counts = Object.fromEntries(data.faults.map((name, at) => [name, faults[at]]));
  const wholes = {
    neighbors: counts.neighbors, reference: counts.reference_words, hypothesis: counts.hypothesis_words,
    quarters: 4 * counts.reference_words, segments: chunks - penalizedChunks,
  };
  return Object.entries(data.faultShares)
    .map(([name, [kind, whole, exponent, description]]) => {
      const share = counts[kind] / wholes[whole];
      return {name, kind, description, count: counts[kind], whole: wholes[whole], exponent, penalty: data.parameters[name] * (exponent === 1 ? share : share * share)};
    })
    .filter(({name, count, whole}) => data.parameters[name] && count && whole);
}

function faultTerm({name, count, whole, exponent}) {
  const share = [math("mo", "("), fraction(n(count), n(whole)), math("mo", ")")];
  const shown = exponent === 1 ? share : [math("msup", math("mrow", ...share), n(exponent))];
  return [n(data.parameters[name]), math("mo", "·"), ...shown];
}

function penaltyLines({chunks, penalizedChunks, hypothesisMatches, referenceMatches, fragmentation, penalty, order, faults}) {
  const {beta, gamma, crossing, crossing_beta: crossingBeta} = data.parameters;
  const told = powered(gamma, fragmentation, beta);
  if (!order) {
    return [
      ["Fragmentation", chunks === penalizedChunks ? "Frag = chunks / mean of the matched words" : "a perfect segment counts no chunk",
        shownUnits(fragmentation), displayed(fraction(n(penalizedChunks), half(hypothesisMatches, referenceMatches))),
        hypothesisMatches + referenceMatches],
      ["Penalty", ["Pen = γ · Frag", el("sup", {}, "β"), `, γ = ${gamma}, β = ${beta}`], shownUnits(penalty), displayed(...told)],
    ];
  }
  const found = penalizedFaults({faults, chunks, penalizedChunks});
  return [
    ["Fragmentation", "Frag = chunks after the first / mean of the places where one could begin", shownUnits(fragmentation),
      displayed(fraction(n(penalizedChunks), half(order.junctions))), order.junctions],
    ["Crossing", "pairs of matches that cross / all pairs of matches", shownUnits(order.crossing),
      displayed(fraction(n(order.crossings), n(order.matchPairs))), order.matchPairs],
    ["Penalty", ["Pen = γ · Frag", el("sup", {}, "β"), ` + …: ${["fragmentation", "crossing matches", ...found.map(({kind}) => kind.replace("_", " "))].join(", ")}; at most 1`],
      shownUnits(penalty), wrapped([told, powered(crossing, order.crossing, crossingBeta), ...found.map(faultTerm)])],
  ];
}

/** Note on the factors of a term of precision or recall. */
function termNote() {
  return `A term of P or R: ${data.unit === 1 ? "number" : "weights"} of the words · weight of their stage (left out if 1) · ${data.parameters.delta} for content words, ${rest(data.parameters.delta)} for function words.`;
}

/** The lines: name, meaning, result, term, and whether its divisor, if it has one, is not 0. */
function lines(segment) {
  return [
    ["Precision", "P = weighted matches / weighted length of the hypothesis", shownUnits(segment.precision),
      wrappedFraction(weightedMatches(segment, 0), weightedLength(segment.hypothesisLength, segment.hypothesisFunction)), segment.hypothesisLength],
    ["Recall", "R = the same for the reference", shownUnits(segment.recall),
      wrappedFraction(weightedMatches(segment, 1), weightedLength(segment.referenceLength, segment.referenceFunction)), segment.referenceLength],
    ["F mean", `F = P · R / (α · P + (1 − α) · R), α = ${data.parameters.alpha}`, shownUnits(segment.f_mean), displayed(weightedMean(segment)),
      [segment.precision, segment.recall].some((share) => share !== 0 && share !== NO_VALUE)],
    ...penaltyLines(segment),
    ["Score", "F · (1 − Pen)", digits(segment.score),
      displayed(n(shownUnits(segment.f_mean)), math("mo", "·"), math("mo", "("), n(1), math("mo", "−"), n(shownUnits(segment.penalty)), math("mo", ")"))],
  ];
}

function formula(segment) {
  return el("dl", {class: "formula"}, lines(segment).map(([name, meaning, result, term, divisor = 1]) => el("div", {},
    el("dt", {}, name, el("span", {class: "note"}, meaning)),
    el("dd", {}, ...(divisor ? [term, " =\u00a0"] : ["nothing to divide by: "]), el("strong", {}, result)))));
}
