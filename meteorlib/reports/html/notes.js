// Stars and notes on segments, which are kept in the page when it is saved again; rows as a table for other programs.

let notes = {};
let notesChanged = false;
try {
  notes = JSON.parse(byId("notes").textContent);
} catch { /* a page whose notes somebody has edited by hand */ }

function changeNote(index, change) {
  const found = {...notes[index + 1], ...change};
  if (found.star || found.text) notes[index + 1] = found;
  else delete notes[index + 1];
  notesChanged = true;
  byId("save").hidden = false;
}

function noteFields(index) {
  const {star, text} = notes[index + 1] ?? {};
  return el("div", {class: "notes"},
    el("button", {type: "button", id: "star", "aria-pressed": String(Boolean(star)), onclick: (event) => {
      const now = !notes[index + 1]?.star;
      changeNote(index, {star: now});
      event.currentTarget.setAttribute("aria-pressed", String(now));
      event.currentTarget.textContent = now ? "★ Starred" : "☆ Star";
      drawPage();
    }}, star ? "★ Starred" : "☆ Star"),
    el("label", {class: "grow"}, "Note ", el("input", {id: "note", value: text ?? "", autocomplete: "off", onchange: (event) => {
      changeNote(index, {text: event.target.value});
      drawPage();
    }})));
}

function noteMark(index) {
  const {star, text} = notes[index + 1] ?? {};
  return (star || text) && el("span", {class: "mark", title: text ?? ""}, star ? " ★" : "", text ? " ✎" : "");
}

function download(text, name, type) {
  const address = URL.createObjectURL(new Blob([text], {type}));
  el("a", {href: address, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Copy the signature, or the table of scores for a paper; the text is shown, and can be copied by hand where the browser refuses. */
function copyText(form) {
  const text = el("textarea", {readonly: true, rows: 9, "aria-label": `${form} to copy`}, data.tables[form]);
  byId("copy").replaceChildren(text);
  text.select();
  byId("copied").textContent = document.execCommand("copy") ? `${form} copied.` : "Copy the selected text.";
}

/** The page with its notes, as a file; what the script has drawn is drawn anew when it is opened. */
function savedPage() {
  const page = document.documentElement.cloneNode(true);
  for (const place of page.querySelectorAll("[data-drawn], dialog")) place.replaceChildren();
  for (const each of page.querySelectorAll("details[open], dialog[open]")) each.removeAttribute("open");
  page.querySelector("#notes").textContent = JSON.stringify(notes).replaceAll("<", "\\u003c");
  return `<!doctype html>\n${page.outerHTML}\n`;
}

function savePage() {
  download(savedPage(), decodeURIComponent(location.pathname.split("/").at(-1)) || "report.html", "text/html");
  notesChanged = false;
}

window.addEventListener("beforeunload", (event) => notesChanged && event.preventDefault());

/** Columns of an export: heading, and cell of a segment. Scores are in full; a reference that all systems share stands once. */
function tableColumns() {
  const shared = data.segments.references.every((each) => each.length === 1);
  const reference = (system) => (index) => {
    const segment = segmentOf(system, index);
    return writtenReference(index, segment) ?? segment.referenceWords.join(" ");
  };
  return [["segment", (index) => index + 1],
    ...["score", ...SCORED].flatMap((measure) => systems.map((name, system) =>
      [`${called(measure)} of ${name}`, (index) => (measure === "score" ? data.segments.systems[system].score : column(system, measure))[index]])),
    pair[0] !== pair[1] && [`${systems[pair[0]]} minus ${systems[pair[1]]}`, (index) => difference(index, ...pair)],
    data.sources && ["source", (index) => data.sources[index]],
    shared && ["reference", reference(0)],
    ...systems.flatMap((name, system) => [shared || [`reference of ${name}`, reference(system)],
      [name, (index) => asWritten(system, index) ?? segmentOf(system, index).hypothesisWords.join(" ")]]),
    filters.some(([kind]) => kind === "check") && ["found", (index) => findings(index).map(([system, words]) => `${systems[system]}: ${words}`).join("; ")],
    ["star", (index) => (notes[index + 1]?.star ? 1 : "")], ["note", (index) => notes[index + 1]?.text ?? ""]].filter(Array.isArray);
}

function exportRows(form) {
  const cell = form === "csv"
    ? (value) => (/[",\n\r]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value)
    : (value) => String(value).replace(/[\t\n\r]/g, " ");
  const columns = tableColumns();
  return [columns.map(([head]) => head), ...listed.map((index) => columns.map(([, value]) => value(index)))].map((row) => row.map(cell).join(form === "csv" ? "," : "\t")).join("\n") + "\n";
}
