// A short name from the title as one types, and the form of the chosen protocol to be tried.
// The server makes the short name too where it is left empty.

const title = document.querySelector("[data-slug-source]");
const slug = document.getElementById(title.dataset.slugSource);
const protocol = document.getElementById("id_protocol");
const previews = [...document.querySelectorAll(".preview")];

const slugOf = (text) =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9\s_-]/g, "")
    .replace(/[\s_-]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 56)
    .replace(/-$/, "");

let isOwn = slug.value !== "" && slug.value !== slugOf(title.value);
title.addEventListener("input", () => {
  if (!isOwn) slug.value = slugOf(title.value);
});
slug.addEventListener("input", () => {
  isOwn = slug.value !== "";
});

const holds = (when, answers) =>
  Object.entries(JSON.parse(when)).every(([key, value]) => answers[key] === value);

/** Show the questions that the answers so far call for, and the label that follows. */
function refresh(preview) {
  const answers = {};
  for (const question of preview.querySelectorAll("fieldset")) {
    question.hidden = !holds(question.dataset.when, answers);
    for (const label of question.querySelectorAll("label")) {
      label.hidden = !holds(label.dataset.when, answers);
      if (question.hidden || label.hidden) label.querySelector("input").checked = false;
    }
    const given = [...question.querySelectorAll("input:checked")].map((input) => input.value);
    if (given.length) answers[question.dataset.question] = given.join("+");
  }
  const key = (given) => JSON.stringify(Object.entries(given).sort());
  const outcome = JSON.parse(preview.dataset.outcomes).find(([given]) => key(given) === key(answers));
  const said = preview.querySelector("[data-label-is]");
  said.hidden = !outcome;
  if (outcome) said.querySelector("b").textContent = outcome[1];
}

const choose = () => {
  for (const preview of previews) preview.hidden = preview.dataset.protocol !== protocol.value;
};
for (const preview of previews) {
  preview.addEventListener("change", () => refresh(preview));
  refresh(preview);
}
protocol.addEventListener("change", choose);
choose();
