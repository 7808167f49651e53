// Draw everything, and answer what is chosen.

function drawCompared() {
  fillChoices();
  ["first", "second"].forEach((id, side) => { byId(id).value = pair[side]; });
  const compared = systems.length > 1 ? pair : null;
  drawHistograms(compared);
  drawWhy(pair);
  drawWords(pair);
  drawGroups();
  byId("bands").replaceChildren(byId("bands").firstElementChild, ...(byId("bands").open ? bandsTable(compared) : []));
  drawTable();
}

function showAll() {
  byId("filter").reset();
  filters = [];
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

function start() {
  if (systems.length > 1) {
    byId("pair").hidden = false;
    ["first", "second"].forEach((id, side) => {
      byId(id).addEventListener("change", () => {
        pair[side] = Number(byId(id).value);
        history.replaceState(null, "", addressOf());
        drawCompared();
      });
    });
  }
  for (const name of ["up", "across"]) {
    byId(`scatter-${name}`)?.addEventListener("change", (event) => {
      axes[name] = event.target.value;
      drawTable();
    });
  }
  byId("word-choice")?.addEventListener("change", () => drawWords(pair));
  byId("bands").addEventListener("toggle", () => {
    byId("bands").replaceChildren(byId("bands").firstElementChild, ...bandsTable(systems.length > 1 ? pair : null));
  });
  byId("filter").addEventListener("submit", (event) => {
    event.preventDefault();
    if (byId("filter").checkValidity()) keep();
  });
  byId("filter").addEventListener("reset", () => setTimeout(fillChoices));
  byId("all").addEventListener("click", showAll);
  byId("more").addEventListener("change", () => {
    const chosen = byId("more").value;
    byId("more").value = "";
    if (chosen) keep(chosen.replace("*", pair.join()).split(","));
  });
  byId("goto").addEventListener("change", () => {
    const number = Number(byId("goto").value);
    byId("goto").value = "";
    if (number >= 1 && number <= count) showSegment(number - 1);
  });
  for (const form of ["tsv", "csv"]) byId(form).addEventListener("click", () => download(exportRows(form), `segments.${form}`, `text/${form === "csv" ? "csv" : "tab-separated-values"}`));
  byId("save").addEventListener("click", savePage);
  document.addEventListener("click", (event) => {
    const {filter, copy} = event.target.closest("[data-filter], [data-copy]")?.dataset ?? {};
    if (filter) showOnly(filter.split(","));
    if (copy) copyTable(copy);
  });
  const draw = later(() => {
    order = byId("order").value;
    history.replaceState(null, "", addressOf());
    drawTable();
  }, 120);
  byId("filter").addEventListener("input", (event) => event.target.matches("input:not(#goto)") && draw());
  byId("filter").addEventListener("change", (event) => event.target.matches("select:not(#more)") && draw());
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !shown.open && !event.target.matches("input, select, textarea")) {
      event.preventDefault();
      byId("query").focus();
    }
  });
  drawCompared();
  readAddress();
  followAddress();
  makeHaystacks();
}

start();
