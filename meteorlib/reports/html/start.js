// Draw everything, and answer what is chosen.

function drawCompared() {
  fillChoices();
  const compared = systems.length > 1 ? pair : null;
  drawHistograms(compared);
  drawWords(pair);
  byId("bands").replaceChildren(byId("bands").firstElementChild, ...(byId("bands").open ? bandsTable(compared) : []));
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
      byId(id).value = pair[side];
      byId(id).addEventListener("change", () => {
        pair[side] = Number(byId(id).value);
        drawCompared();
      });
    });
  }
  byId("bands").addEventListener("toggle", () => {
    byId("bands").replaceChildren(byId("bands").firstElementChild, ...bandsTable(systems.length > 1 ? pair : null));
  });
  byId("filter").addEventListener("submit", (event) => event.preventDefault());
  byId("filter").addEventListener("reset", () => setTimeout(() => {
    fillChoices();
    drawTable();
  }));
  const draw = later(() => {
    order = byId("order").value;
    drawTable();
  }, 120);
  byId("filter").addEventListener("input", (event) => event.target.matches("input") && draw());
  byId("filter").addEventListener("change", (event) => event.target.matches("select") && draw());
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !shown.open && !event.target.matches("input, select")) {
      event.preventDefault();
      byId("query").focus();
    }
  });
  drawCompared();
  followAddress();
  makeHaystacks();
}

start();
