// Says what is not saved yet, and asks before it is lost: by leaving, or by saving another section.

const page = document.querySelector("[data-unsaved-question]");
const forms = [...page.querySelectorAll("form[data-unsaved]")];
const values = (form) =>
  JSON.stringify([...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken"));
const saved = new Map(forms.map((form) => [form, values(form)]));
// what came back with errors was never saved
const refused = new Set(forms.filter((form) => form.querySelector("[aria-invalid='true']")));
const isUnsaved = (form) => refused.has(form) || values(form) !== saved.get(form);
let mayLeave = false;

function show(form) {
  form.querySelector("[data-unsaved-note]").hidden = !isUnsaved(form);
}

for (const form of forms) {
  show(form);
  form.addEventListener("input", () => show(form));
}

page.addEventListener("submit", (event) => {
  const others = forms.filter((form) => form !== event.target && isUnsaved(form));
  const sections = others.map((form) => form.dataset.unsaved).join(", ");
  const question = page.dataset.unsavedQuestion.replace("{sections}", sections);
  if (others.length && !confirm(question)) event.preventDefault();
  else mayLeave = true;
});

addEventListener("beforeunload", (event) => {
  if (!mayLeave && forms.some(isUnsaved)) event.preventDefault();
});

// who comes back by the browser's button finds what they had typed
addEventListener("pageshow", () => {
  mayLeave = false;
  forms.forEach(show);
});
