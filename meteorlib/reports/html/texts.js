// The texts of a segment as they were written, the difference of two of them, and what unmatched words would gain.

const DIFF_WORDS = 1500;

/** A text as it was written, below its words. */
function writtenLine(text) {
  return text === undefined || text === null ? null
    : el("div", {class: "written"}, el("span", {class: "hidden"}, "as written: "), el("bdi", {dir: "auto", lang: wordLanguage}, clipped(text, 20 * FULL_LINE)));
}

/** The references that count for no system. */
function otherReferences(index, segments) {
  const used = new Set(segments.map((segment) => segment.reference));
  return (data.written?.references[index] ?? []).flatMap((text, at) => (used.has(at) ? [] : [[at, text]]));
}

/** The difference of two lists by their longest common subsequence: [kind, word], kind 0 for both, 1 and 2 for one of them. */
function wordDiff(one, other) {
  const width = other.length + 1, longest = new Uint16Array((one.length + 1) * width), found = [];
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      const at = i * width + j;
      longest[at] = one[i] === other[j] ? longest[at + width + 1] + 1 : Math.max(longest[at + width], longest[at + 1]);
    }
  }
  for (let i = 0, j = 0; i < one.length || j < other.length;) {
    const at = i * width + j;
    if (i < one.length && one[i] === other[j]) {
      found.push([0, one[i++]]);
      j++;
    } else if (j >= other.length || (i < one.length && longest[at + width] >= longest[at + 1])) found.push([1, one[i++]]);
    else found.push([2, other[j++]]);
  }
  return found;
}

function diffOf(index, [first, second]) {
  const [one, other] = [first, second].map((system) => (asWritten(system, index) ?? segmentOf(system, index).hypothesisWords.join(" ")).split(/\s+/).filter(Boolean));
  const head = el("h3", {}, badge(second), " → ", badge(first));
  if (Math.max(one.length, other.length) > DIFF_WORDS) return [head, remark(`Not drawn for texts of more than ${DIFF_WORDS} words.`)];
  if (one.join(" ") === other.join(" ")) return [head, remark("identical")];
  return [head, el("p", {class: "line diff", dir: "auto", lang: wordLanguage}, wordDiff(other, one).flatMap(([kind, word]) =>
    [el(["span", "del", "ins"][kind], {}, clipped(word)), " "]))];
}

/** Gains of unmatched words, as in `explain`. */
function gainTable(index, system) {
  const gains = data.written?.gains[system]?.[index + 1];
  if (!gains) return null;
  const edits = {insert: ([word]) => ["insert ", el("b", {}, word)], delete: ([word]) => ["leave out ", el("b", {}, word)],
    replace: ([word, , replaced]) => [el("b", {}, word), " instead of ", el("b", {}, replaced)]};
  return region(`Gains of ${systems[system]}`, "",
    el("table", {class: "gains"}, el("caption", {}, named(system)),
      el("tbody", {}, gains.map((gain) => el("tr", {}, el("td", {}, el("bdi", {}, edits[gain[1]](gain))), numberCell(signedUnits(gain[3])))))));
}

function gainTables(index) {
  if (!data.written) return null;
  const tables = systems.map((_, system) => gainTable(index, system));
  return el("details", {}, el("summary", {}, "What each unmatched word would gain"), tables.some(Boolean) ? el("div", {class: "two"}, tables)
    : remark("Not computed for this segment. The page has gains where scores are lowest and differ most; to compute more, make it with --gains N."));
}
