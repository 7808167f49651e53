// Accessibility that the theme lacks: a level for captions in the sidebar, and keyboard focus for boxes that scroll.
document.addEventListener("DOMContentLoaded", () => {
  for (const caption of document.querySelectorAll(".caption[role=heading]")) caption.setAttribute("aria-level", "2");
  for (const box of document.querySelectorAll("pre, .table-wrapper")) box.tabIndex = 0;
});
