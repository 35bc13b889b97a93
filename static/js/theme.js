/* Runs before the page is drawn, so that a remembered theme does not flash. */
(function () {
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const theme = localStorage.getItem("theme");
    if (theme) root.dataset.theme = theme;
  } catch {
    /* storage is blocked: the system's theme it is */
  }
})();
