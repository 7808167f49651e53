// The penalized faults of a segment: what each kind adds to the penalty, and its words.

/** Index of a kind in `data.faults` → for each fault its places in the reference and in the hypothesis. */
function faultPlaces(letters) {
  const found = {}, flat = numbers(letters);
  while (flat.length) {
    const kind = flat.shift();
    (found[kind] ??= []).push([0, 1].map(() => flat.splice(0, flat.shift())));
  }
  return found;
}

function faultList(segment) {
  const places = faultPlaces(segment.faultLetters), words = [segment.referenceWords, segment.hypothesisWords];
  const text = (fault) => fault.flatMap((at, side) => (at.length ? [`“${at.map((place) => words[side][place]).join(" ")}”`] : [])).join(" – ");
  const found = penalizedFaults(segment).map(({name, description, penalty}) => {
    const listed = places[data.faults.findIndex((fault) => fault.name === name)];
    return el("li", {}, el("strong", {}, `${name} +${penalty.toFixed(4)}`), `, ${description}`, listed ? `: ${listed.map(text).join(", ")}` : "");
  });
  return found.length ? el("ul", {class: "faults"}, found) : null;
}
