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

function rest(value) {
  return Number((1 - value).toFixed(10));
}

/** What the stages matched of a side, weighted. Counts come in the order content, function of each side. */
function weightedMatches(segment, side) {
  const {delta} = data.parameters;
  return sum([[side, delta], [side + 2, rest(delta)]].flatMap(([at, share]) =>
    data.stages.flatMap(({weight}, stage) => {
      const counted = segment.stages[stage][at];
      return counted ? [weight === 1 ? times(counted, share) : times(counted, weight, share)] : [];
    })));
}

function weightedLength(length, functionWords) {
  const {delta} = data.parameters;
  return sum([[length - functionWords, delta], [functionWords, rest(delta)]].filter(([words]) => words)
    .map(([words, share]) => times(words, share)));
}

function weightedMean({precision, recall}) {
  const {alpha} = data.parameters;
  const p = shownUnits(precision), r = shownUnits(recall);
  return data.formula === "meteor-2005"
    ? fraction(math("mrow", ...times(p, r)), sum([times(alpha, p), times(rest(alpha), r)]))
    : fraction(n(1), math("mrow", fraction(n(rest(alpha)), n(p)), math("mo", "+"), fraction(n(alpha), n(r))));
}

function lines(segment) {
  const {beta, gamma} = data.parameters;
  const {chunks, penalizedChunks, hypothesisMatches, referenceMatches} = segment;
  return [
    ["Precision", "weighted matches by weighted length of the hypothesis", shownUnits(segment.precision),
      fraction(weightedMatches(segment, 0), weightedLength(segment.hypothesisLength, segment.hypothesisFunction))],
    ["Recall", "the same for the reference", shownUnits(segment.recall),
      fraction(weightedMatches(segment, 1), weightedLength(segment.referenceLength, segment.referenceFunction))],
    ["F mean", `their harmonic mean, weighted by alpha = ${data.parameters.alpha}`, shownUnits(segment.f_mean), weightedMean(segment)],
    ["Fragmentation", chunks === penalizedChunks ? "chunks by mean of the matched words" : "a perfect segment counts no chunk",
      shownUnits(segment.fragmentation),
      fraction(n(penalizedChunks), math("mrow", math("mo", "("), n(hypothesisMatches), math("mo", "+"), n(referenceMatches), math("mo", ")"), math("mo", "/"), n(2)))],
    ["Penalty", `gamma · fragmentation to the power of beta`, shownUnits(segment.penalty),
      math("mrow", n(gamma), math("mo", "·"), math("msup", n(shownUnits(segment.fragmentation)), n(beta)))],
    ["Score", "F mean · (1 − penalty)", digits(segment.score),
      math("mrow", n(shownUnits(segment.f_mean)), math("mo", "·"), math("mo", "("), n(1), math("mo", "−"), n(shownUnits(segment.penalty)), math("mo", ")"))],
  ];
}

function displayed(term) {
  const shown = math("math", term);
  shown.setAttribute("displaystyle", "true");
  return shown;
}

function formula(segment) {
  return el("dl", {class: "formula"}, lines(segment).map(([name, meaning, result, term]) => el("div", {},
    el("dt", {}, name, el("span", {class: "note"}, meaning)),
    el("dd", {}, displayed(math("mrow", term, math("mo", "="))), " ", el("strong", {}, result)))));
}
