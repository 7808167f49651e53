// The words of penalized faults, by the rules of meteorlib.core.faults.

const OMISSIBLE = 1, CONTENT = 2, NEGATION = 4;
const traits = numbers(data.traits);

function span(start, end) {
  return Array.from({length: end - start}, (_, at) => start + at);
}

/** Kind of fault → its words: for each fault the places in the reference and in the hypothesis. */
function faultPlaces({matches, sides}) {
  const found = {};
  const [reference, hypothesis] = sides;
  const add = (kind, ...places) => (found[kind] ??= []).push(places);
  const run = (match, at) => span(match[at], match[at] + match[at + 1]);
  const chosen = (gap, test) => gap.map((places, side) => places.filter((at) => test(sides[side][at])));
  const all = matches.length ? [[-1, 1, -1, 1], ...matches, [reference.length, 1, hypothesis.length, 1]] : [];
  const starts = all.map((match) => match[2]).sort((one, other) => one - other);
  const following = new Map(starts.map((start, at) => [start, starts[at + 1]]));
  all.slice(1).forEach((other, at) => {
    const one = all[at];
    const end = one[0] + one[1];
    if (other[2] < one[2]) {
      const places = [[...run(one, 0), ...run(other, 0)], [...run(other, 2), ...run(one, 2)]];
      add("inversions", ...places);
      if (end === other[0] && other[2] + other[3] === one[2]) add("swaps", ...places);
    }
    if (following.get(one[2]) !== other[2]) return;
    const gap = [span(end, other[0]), span(one[2] + one[3], other[2])];
    const [omitted] = chosen(gap, (word) => traits[word] & OMISSIBLE);
    if (omitted.length && !gap[1].length) add("omitted", omitted, []);
    const numbered = chosen(gap, (word) => word in data.digits);
    const [these, those] = numbered.map((places, side) => places.map((place) => data.digits[sides[side][place]]));
    if (these.length && those.length && !these.some((digits) => those.includes(digits))) add("contradictions", ...numbered);
    const negated = chosen(gap, (word) => traits[word] & NEGATION);
    if (!negated[0].length !== !negated[1].length) add("negations", ...negated);
  });
  const places = new Map();
  hypothesis.forEach((word, at) => traits[word] & CONTENT && places.set(word, [...places.get(word) ?? [], at]));
  for (const [word, at] of places) {
    const surplus = at.slice(Math.max(1, reference.filter((other) => other === word).length));
    if (surplus.length) add("repeated", [], surplus);
  }
  return found;
}

/** The penalized faults of a segment: what each kind adds to the penalty, and its words. */
function faultList(segment) {
  const found = penalizedFaults(segment), places = faultPlaces(segment);
  const words = [segment.referenceWords, segment.hypothesisWords];
  const text = (fault) => fault.flatMap((at, side) => (at.length ? [`“${at.map((place) => words[side][place]).join(" ")}”`] : [])).join(" – ");
  return found.length ? el("ul", {class: "faults"}, found.map(({name, kind, description, penalty}) =>
    el("li", {}, el("strong", {}, `${name} +${penalty.toFixed(4)}`), `, ${description}`, places[kind] ? `: ${places[kind].map(text).join(", ")}` : ""))) : null;
}
