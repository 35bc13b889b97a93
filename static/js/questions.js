// Which question is asked follows from the answers by the rule the server uses as well: a question
// is asked once every answer in its data-when has been given. What an earlier answer closes is
// emptied, so that no dead branch is ever sent.

const questionsOf = (form) => [...form.querySelectorAll("fieldset[data-question]")];
const inputsOf = (question) => [...question.querySelectorAll("input[data-key]")];
const offeredIn = (question) => inputsOf(question).filter((input) => !input.closest("label").hidden);
const valueOf = (question) =>
  inputsOf(question).filter((input) => input.checked).map((input) => input.value).join("+");

// The question that is open although it is answered: gone back to, or with answers to be confirmed.
const held = new WeakMap();

/** Take the later questions out of their template; they stay hidden and disabled until asked. */
export function unfold(form) {
  const template = form.querySelector("template");
  // a form that comes back to the desk has none any more
  if (template) form.querySelector(".steps").append(template.content);
  template?.remove();
  refresh(form);
}

/** Bring the form in line with its answers; returns the question asked and whether all is answered. */
export function refresh(form) {
  const answers = {};
  const asked = [];
  for (const question of questionsOf(form)) {
    offer(question, answers);
    const value = holds(question, answers) ? valueOf(question) : close(question);
    if (value) answers[question.dataset.question] = value;
    if (value !== null) asked.push(question);
  }
  const missing = asked.find((question) => !valueOf(question));
  const open = asked.includes(held.get(form)) ? held.get(form) : (missing ?? asked.at(-1));
  for (const question of questionsOf(form)) show(question, stateOf(question, open, asked));
  form.elements.asked.value = open.dataset.question;
  const isLast = open === asked.at(-1);
  showButton(form, isLast && (!missing || (missing === open && endsWith(form, open, answers))));
  return { open, isComplete: !missing, isLast };
}

/** Give or take an answer. A single choice moves on at once, several wait to be confirmed. */
export function choose(form, input, { moveOn }) {
  const question = input.closest("fieldset");
  const before = form.elements.asked.value;
  held.delete(form);
  if (!moveOn || "multiple" in question.dataset) held.set(form, question);
  const { open } = refresh(form);
  if (open.dataset.question !== before) enter(open);
}

/** Confirm the open question: on to the next one. False if it has no answer yet. */
export function confirm(form) {
  const { open } = refresh(form);
  if (!valueOf(open)) return false;
  held.delete(form);
  enter(refresh(form).open);
  return true;
}

/** Open the question before the open one; false if that was the first. */
export function goBack(form) {
  const { open } = refresh(form);
  const before = questionsOf(form).filter((question) => question.className !== "later");
  const previous = before[before.indexOf(open) - 1];
  if (!previous) return false;
  reopen(form, previous);
  return true;
}

export function reopen(form, question) {
  held.set(form, question);
  enter(refresh(form).open);
}

/** The answer that one of the keys gives to the open question. */
export function choiceFor(form, keys) {
  const { open } = refresh(form);
  return offeredIn(open).find((input) => keys.includes(input.dataset.key));
}

/** Say that the open question needs an answer, and put the reader there. */
export function complain(form) {
  const { open } = refresh(form);
  open.querySelector(".unanswered").textContent = form.dataset.unanswered;
  enter(open);
}

/** Show the choices that go with the answers so far; the others are neither checked nor sent. */
function offer(question, answers) {
  for (const input of inputsOf(question)) {
    const isOffered = holds(input, answers);
    input.closest("label").hidden = input.disabled = !isOffered;
    if (!isOffered) input.checked = false;
  }
}

function holds({ dataset }, answers) {
  const rule = [...new URLSearchParams(dataset.when ?? "")];
  return rule.every(([key, value]) => answers[key] === value);
}

function close(question) {
  for (const input of inputsOf(question)) input.checked = false;
  return null;
}

function stateOf(question, open, asked) {
  if (question === open) return "asked";
  return asked.includes(question) && valueOf(question) ? "answered" : "later";
}

function show(question, state) {
  question.className = state;
  question.hidden = question.disabled = state === "later";
  const titles = inputsOf(question).filter((input) => input.checked).map((i) => i.dataset.title);
  question.querySelector(".given b").textContent = titles.join(", ");
  if (titles.length) question.querySelector(".unanswered").textContent = "";
}

/** Whether every answer to this question completes the form. */
function endsWith(form, open, answers) {
  const later = questionsOf(form).slice(questionsOf(form).indexOf(open) + 1);
  return offeredIn(open).every((input) => {
    const then = { ...answers, [open.dataset.question]: input.value };
    return !later.some((question) => holds(question, then));
  });
}

function showButton(form, isSubmit) {
  const button = form.querySelector("button.primary");
  button.value = isSubmit ? "submit" : "next";
  button.querySelector("span").textContent = isSubmit ? form.dataset.submit : form.dataset.next;
}

function enter(question) {
  question.focus({ preventScroll: true });
  question.scrollIntoView({ block: "nearest" });
}
