// The lists of words and phrases.

const SAID = "Said instead";

function wordList(heading, note, heads, rows) {
  return el("section", {class: "card"}, el("h3", {}, heading),
    rows.length ? folded(textOf(heading), el("table", {},
      el("thead", {}, el("tr", {}, heads.map((head, at) => el("th", {scope: "col", class: at && head !== SAID ? "number" : ""}, head)))),
      el("tbody", {}, rows))) : "None.", remark(note));
}

function textOf(nodes) {
  return [nodes].flat().map((node) => node.textContent ?? node).join("");
}

/** A word that, when pressed, lists the segments that have it. */
function wordButton(text, ...filter) {
  const cut = text.length >= 60 && text.endsWith("…");
  return textButton(() => (cut ? searchFor(text, "reference") : showOnly([...filter, text])), el("span", {lang: wordLanguage}, text));
}

function drawWords([first, second]) {
  const compared = first !== second && systems.length > 1;
  byId("word-lists").replaceChildren(
    ...(compared ? pairLists(first, second) : []),
    ...[...new Set([first, second])].flatMap(ownLists));
}

/** The entries as they are sorted and hidden: forty of them. */
function shownEntries(entries) {
  const hidden = (byId("hide-marks").checked ? 1 : 0) + (byId("hide-function").checked ? 2 : 0);
  const found = entries.filter((entry) => !(entry[2] & hidden));
  const sided = ([, , , more, less]) => (more - less) / Math.sqrt(more + less);
  if (byId("word-order")?.value === "sided" && entries[0]?.length === 5) found.sort((one, other) => sided(other) - sided(one));
  return found.slice(0, 40);
}

function pairLists(first, second) {
  const {found, turned} = pairData(first, second);
  const notes = {words: "Times that only one of them has it matched. Worth: what so many more matches add to the score, chunks unchanged.",
    phrases: "The same for two to four words, matched in one piece."};
  return ["words", "phrases"].flatMap((kind) => [0, 1].map((side) => {
    const [right, wrong] = side ? [second, first] : [first, second];
    return wordList([kind === "words" ? "Words that " : "Phrases that ", badge(right), " gets right and ", badge(wrong), " does not"],
      notes[kind],
      [kind === "words" ? "Word" : "Phrase", [badge(right), " only"], [badge(wrong), " only"], "Worth"],
      shownEntries(found[kind][turned ? 1 - side : side]).map(([text, worth, , more, less]) => el("tr", {},
        rowHead(wordButton(text, "won", right, wrong)),
        numberCell(grouped(more)), numberCell(grouped(less)), numberCell(worth.toFixed(5)))));
  }));
}

function ownLists(system) {
  return [
    wordList(["Words that ", badge(system), " never gets"], "Words of the references that it has not matched once.",
      ["Word", "Times", "Worth"],
      shownEntries(data.never[system]).map(([text, worth, , times]) => el("tr", {},
        rowHead(wordButton(text, "missed", system)), numberCell(grouped(times)), numberCell(worth.toFixed(5))))),
    wordList(["Matched by ", badge(system), ", but never as written"],
      `Only by ${data.stages.map((stage) => stage.name).filter((name) => name !== "exact").join(", ") || "no other stage"}.`,
      ["Reference", "Stages", SAID],
      shownEntries(data.inexact[system]).map(([text, , , stages, said]) => el("tr", {},
        rowHead(wordButton(text, "said", system)),
        numberCell(stages.map(([stage, times]) => [stageMark(stage), ` ${grouped(times)} `]).flat()),
        el("td", {}, said.map(([words, times], at) =>
          [at ? ", " : "", el("bdi", {lang: wordLanguage}, words), times > 1 ? ` (${grouped(times)})` : ""]).flat())))),
  ];
}
