// The rating page: keyboard, questions one at a time, drafts, one submission per form.

import { startClock } from "./clock.js";
import { csrfToken } from "./csrf.js";
import { keepDraft } from "./draft.js";
import { areShortcutsOn, isForPage, keyOf, watchSwitch } from "./keys.js";
import { choiceFor, choose, complain, confirm, goBack, refresh, reopen, unfold } from "./questions.js";
import { toggleDialog } from "./site.js";

let desk = null;
let form = null;
let draft = null;
let tick = null;
let isArrowing = false;

function start() {
  draft?.end();
  desk = document.getElementById("rate");
  form = document.getElementById("rating");
  if (!form) return;
  unfold(form);
  tick = startClock(form.elements.seconds);
  draft = keepDraft(form);
}

const primary = () => form.querySelector("button.primary");

/** Submit, or go on to the next question. What is missing is asked for, kindly if by key. */
function goOn({ isLoud }) {
  const { isComplete, isLast } = refresh(form);
  if (isComplete && isLast) primary().click();
  else if (!confirm(form) && isLoud) complain(form);
}

function back() {
  if (!goBack(form) && form.dataset.previous) location.assign(form.dataset.previous);
}

function toggle(selector, focused) {
  const details = document.querySelector(selector);
  if (!details) return;
  details.open = !details.open;
  if (details.open) details.querySelector(focused)?.focus();
  else form?.querySelector("fieldset.asked")?.focus();
}

const COMMANDS = {
  b: back,
  c: () => toggle("details.comment", "textarea"),
  g: () => toggleDialog("guidelines"),
  p: () => toggle("#whole-passage", "summary"),
  s: () => toggle("details.skip", "button"),
  "?": () => toggleDialog("keys"),
};

document.addEventListener("keydown", (event) => {
  isArrowing = event.key.startsWith("Arrow");
  if (event.key === "Escape") return leave(event);
  if (!isForPage(event)) return;
  const dialog = document.querySelector("dialog[open]");
  const key = keyOf(event);
  if (event.key === "Enter" && form && !dialog) {
    event.preventDefault();
    return goOn({ isLoud: false });
  }
  if (!areShortcutsOn() || (dialog && !["g", "?"].includes(key))) return;
  const choice = form && !dialog && choiceFor(form, key);
  if (choice) {
    event.preventDefault();
    choice.checked = choice.type === "radio" || !choice.checked;
    answer(choice, true);
  } else if (Object.hasOwn(COMMANDS, key) && (form || key === "g" || key === "?")) {
    event.preventDefault();
    COMMANDS[key]();
  }
});

/** Escape leaves a field or closes a panel; an open dialog closes by itself. */
function leave(event) {
  if (document.querySelector("dialog[open]")) return;
  const panel = event.target.closest("details[open]");
  if (panel?.matches(".skip")) panel.open = false;
  if (panel || event.target.matches("textarea, input")) form?.querySelector("fieldset.asked")?.focus();
}

function answer(input, moveOn) {
  choose(form, input, { moveOn });
  draft.change();
}

document.addEventListener("change", (event) => {
  if (!event.target.dataset.key || event.target.form !== form) return;
  // arrows walk through the answers: they choose, but only Enter goes on
  answer(event.target, !isArrowing);
});

document.addEventListener("click", (event) => {
  if (!form) return;
  const button = event.target.closest("[data-reopen]");
  if (button) reopen(form, button.closest("fieldset"));
  const pressed = event.target.closest(".go button");
  if (!pressed || pressed.form !== form) return;
  tick();
  if (pressed.value === "submit" && refresh(form).isComplete) return;
  event.preventDefault();
  if (pressed.value === "previous") back();
  else goOn({ isLoud: true });
});

// --- sending: htmx posts the form and swaps in the next item ----------------------------------

const trouble = (text) => {
  form.querySelector(".trouble").textContent = text;
};

document.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers["X-CSRFToken"] = csrfToken();
});
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target !== form) return;
  draft.stop();
  trouble("");
});
for (const name of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(name, (event) => {
    if (event.target !== form) return;
    trouble(form.dataset.failed);
    draft.goOn();
  });
}
document.addEventListener("htmx:responseError", (event) => {
  if (event.target !== form) return;
  const isSignedOut = event.detail.xhr.status === 401;
  trouble(isSignedOut ? form.dataset.signedOut : form.dataset.refused);
  draft.goOn();
});
document.addEventListener("htmx:afterSwap", (event) => {
  // htmx tells it once for every element that came
  if (document.getElementById("rate") === desk) return;
  start();
  document.getElementById("announcement").textContent = desk.dataset.announce;
  const complaint = desk.querySelector(".trouble:not(:empty)");
  if (complaint) return form.querySelector("fieldset.asked").focus();
  scrollTo({ top: 0 });
  desk.querySelector("h1").focus({ preventScroll: true });
});

start();
watchSwitch(document.getElementById("shortcuts"));
