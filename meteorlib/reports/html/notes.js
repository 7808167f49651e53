// Stars and notes on segments, which are kept in the page when it is saved again.

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
