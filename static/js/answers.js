// The two answers in the bar: three lines of each are shown until one asks for all.

/** Fold the answers of a desk where they are long, and offer to unfold them. */
export function foldAnswers(desk) {
  const answers = desk?.querySelector(".pair .answers");
  if (!answers) return;
  answers.classList.add("folded");
  const isLong = [...answers.querySelectorAll("dd")].some(
    (dd) => !dd.offsetParent || dd.firstElementChild?.scrollHeight > dd.firstElementChild?.clientHeight + 1,
  );
  if (isLong) desk.querySelector("[data-whole-answers]").hidden = false;
  else answers.classList.remove("folded");
}

/** Show the answers whole, or three lines of them again. */
export function toggleAnswers() {
  const button = document.querySelector("[data-whole-answers]");
  if (!button || button.hidden) return;
  const answers = document.getElementById(button.getAttribute("aria-controls"));
  const isWhole = answers.classList.toggle("whole");
  answers.classList.toggle("folded", !isWhole);
  answers.tabIndex = isWhole ? 0 : -1;
  button.setAttribute("aria-expanded", String(isWhole));
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-whole-answers]")) toggleAnswers();
});
