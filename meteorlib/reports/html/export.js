// Files that are saved from the page: listed segments, lists for papers and programs, and charts.

function download(text, name, type) {
  const address = URL.createObjectURL(new Blob([text], {type}));
  el("a", {href: address, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

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

/** Buttons behind each list and chart, which save it; the table of scores, which is copied, has its own. */
function offerFiles() {
  for (const each of document.querySelectorAll("table:not(.segments, .scores, .texts), .histogram, .scatter, svg.matrix")) {
    const place = each.closest(".scroll") ?? each;
    if (place.nextElementSibling?.className !== "files") {
      place.after(el("span", {class: "files"}, (each.localName === "svg" ? ["SVG"] : ["TSV", "LaTeX"]).map((form) => el("button", {type: "button", "data-file": form}, form))));
    }
  }
}

function saveFile(button) {
  const place = button.parentNode.previousElementSibling, form = button.dataset.file, wanted = form === "SVG" ? "svg" : "table";
  const drawn = place.matches(wanted) ? place : place.querySelector(wanted);
  const heading = place.closest("section")?.querySelector("h2, h3")?.textContent ?? drawn.caption?.textContent ?? "list";
  const [suffix, type] = {SVG: ["svg", "image/svg+xml"], TSV: ["tsv", "text/tab-separated-values"], LaTeX: ["tex", "text/plain"]}[form];
  download(form === "SVG" ? chartFile(drawn) : listFile(drawn, form), `${heading.trim().replace(/[^\p{L}\p{N}]+/gu, "-")}.${suffix}`, type);
}

/** The cells of a list, all rows of it, as TSV or as a table of LaTeX's booktabs. */
function listFile(table, form) {
  const cellText = (cell) => {
    const copy = cell.cloneNode(true);
    copy.querySelectorAll(".arrow, svg").forEach((each) => each.remove());
    copy.querySelectorAll(".under").forEach((each) => each.prepend(" "));
    return copy.textContent.replace(/\s+/g, " ").trim();
  };
  const rows = [...table.rows].map((row) => [...row.cells].map(cellText));
  if (form === "TSV") return rows.map((row) => `${row.join("\t")}\n`).join("");
  const signs = {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "−": "$-$"};
  const lines = rows.map((row) => `${row.map((text) => text.replace(/[\\~^−&%$#_{}]/g, (sign) => signs[sign] ?? `\\${sign}`)).join(" & ")} \\\\`);
  const heads = table.tHead?.rows.length ?? 0, columns = [...table.rows[0].cells].map((cell) => (cell.matches(".number") ? "r" : "l")).join("");
  return [`\\begin{tabular}{${columns}}`, "\\toprule", ...lines.slice(0, heads), ...(heads ? ["\\midrule"] : []), ...lines.slice(heads), "\\bottomrule", "\\end{tabular}", ""].join("\n");
}

const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap", "font-size", "font-weight", "font-style", "font-family"];

/** A chart with its styles in itself, in the colors for paper. */
function chartFile(drawn) {
  const copy = drawn.cloneNode(true), copies = [copy, ...copy.querySelectorAll("*")];
  document.documentElement.classList.add("paper");
  [drawn, ...drawn.querySelectorAll("*")].forEach((each, at) => {
    const style = getComputedStyle(each);
    for (const name of each.matches("text") ? STYLES : STYLES.slice(0, 7)) copies[at].setAttribute(name, style.getPropertyValue(name));
  });
  document.documentElement.classList.remove("paper");
  const {width, height} = drawn.viewBox.baseVal;
  append(copy, {width, height}, []);
  return new XMLSerializer().serializeToString(copy);
}
