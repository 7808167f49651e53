// Draw everything, and answer what is chosen.

function drawCompared() {
  fillChoices();
  ["first", "second"].forEach((id, side) => { byId(id).value = pair[side]; });
  const compared = systems.length > 1 ? pair : null;
  drawHistograms(compared);
  drawWhy(pair);
  drawWords(pair);
  drawGroups();
  drawOpposites(pair);
  drawChecks(pair);
  byId("bands").replaceChildren(byId("bands").firstElementChild, ...(byId("bands").open ? bandsTable(compared) : []));
  drawTable();
}

function showAll() {
  byId("filter").reset();
  filters = [];
  order = "file up";
  history.pushState(null, "", addressOf());
  drawTable();
}

function later(run, wait) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, wait);
  };
}

function on(id, event, run) {
  byId(id)?.addEventListener(event, run);
}

function start() {
  if (systems.length > 1) {
    byId("pair").hidden = false;
    ["first", "second"].forEach((id, side) => {
      on(id, "change", () => {
        pair[side] = Number(byId(id).value);
        history.replaceState(null, "", addressOf());
        drawCompared();
      });
    });
  }
  for (const name of ["up", "across"]) {
    on(`scatter-${name}`, "change", (event) => {
      axes[name] = event.target.value;
      drawTable();
    });
  }
  on("word-choice", "change", () => drawWords(pair));
  on("bands", "toggle", () => {
    byId("bands").replaceChildren(byId("bands").firstElementChild, ...bandsTable(systems.length > 1 ? pair : null));
  });
  on("filter", "submit", (event) => {
    event.preventDefault();
    if (byId("filter").checkValidity()) keep();
  });
  on("filter", "reset", () => setTimeout(fillChoices));
  on("all", "click", showAll);
  on("more", "change", () => {
    const chosen = byId("more").value;
    byId("more").value = "";
    if (chosen) keep(chosen.replace("*", pair.join()).split(","));
  });
  on("goto", "change", () => {
    const number = Number(byId("goto").value);
    byId("goto").value = "";
    if (number >= 1 && number <= count) showSegment(number - 1);
  });
  for (const form of ["tsv", "csv"]) on(form, "click", () => download(exportRows(form), `segments.${form}`, `text/${form === "csv" ? "csv" : "tab-separated-values"}`));
  on("save", "click", savePage);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-filter], [data-copy], [data-file]"), {filter, copy, file} = button?.dataset ?? {};
    if (file) saveFile(button);
    if (filter) showOnly(filter.split(","));
    if (copy) copyText(copy);
  });
  const draw = later(() => {
    order = byId("order").value;
    history.replaceState(null, "", addressOf());
    drawTable();
  }, 120);
  on("filter", "input", (event) => event.target.matches("input:not(#goto)") && draw());
  on("filter", "change", (event) => event.target.matches("select:not(#more)") && draw());
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !shown.open && !event.target.matches("input, select, textarea")) {
      event.preventDefault();
      byId("query").focus();
    }
  });
  window.addEventListener("beforeprint", () => document.querySelectorAll("details.more").forEach((each) => { each.open = true; }));
  new MutationObserver(offerFiles).observe(document.body, {childList: true, subtree: true});
  drawCompared();
  readAddress();
  followAddress();
  makeHaystacks();
}

start();
