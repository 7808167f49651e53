// What the theme lacks: a level for captions in the sidebar, the page in it in view, keyboard focus for boxes that scroll.
document.addEventListener("DOMContentLoaded", () => {
  for (const caption of document.querySelectorAll(".caption[role=heading]")) caption.setAttribute("aria-level", "2");
  const scroller = document.querySelector(".sidebar-scroll");
  const here = scroller?.querySelector(".current-page > .reference");
  if (here) {
    here.setAttribute("aria-current", "page");
    const { top, bottom } = here.getBoundingClientRect();
    const shown = scroller.getBoundingClientRect();
    const away = (top + bottom - shown.top - shown.bottom) / 2;
    if (top < shown.top || bottom > shown.bottom) scroller.scrollBy({ top: away, behavior: "instant" });
  }
  for (const box of document.querySelectorAll("pre, .table-wrapper")) box.tabIndex = 0;
});
