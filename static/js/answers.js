// The two answers in the bar: three lines of each are shown until the rater asks for all of them.

// how much is cut off changes with the room there is
const watcher = new ResizeObserver(([{ target }]) => {
  const pair = target.closest(".pair");
  if (pair.classList.contains("whole")) return;
  const isCut = [...target.querySelectorAll("dd > span")].some(
    (text) => !text.offsetParent || text.scrollHeight > text.clientHeight + 1,
  );
  pair.querySelector("[data-whole-answers]").hidden = !isCut;
});

/** Offer to unfold the answers on a desk, as long as the bar shows only their beginnings. */
export function watchAnswers(desk) {
  watcher.disconnect();
  const answers = desk?.querySelector(".pair .answers");
  if (answers) watcher.observe(answers);
}

/** Show the answers whole, to be scrolled in the bar, or their beginnings again. */
export function toggleAnswers() {
  const button = document.querySelector("[data-whole-answers]:not([hidden])");
  if (!button) return;
  const pair = button.closest(".pair");
  const answers = pair.querySelector(".answers");
  const isWhole = pair.classList.toggle("whole");
  for (const answer of answers.children) {
    answer.scrollTop = 0;
    // what scrolls has to be within reach of the keyboard
    answer.tabIndex = isWhole && answer.scrollHeight > answer.clientHeight ? 0 : -1;
  }
  button.setAttribute("aria-expanded", String(isWhole));
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-whole-answers]")) toggleAnswers();
});
