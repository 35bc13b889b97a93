// Calibration: the keys of the rating page, on a form that is answered once and then judged.

import { areShortcutsOn, isForPage, keyOf, watchSwitch } from "./keys.js";
import { choiceFor, choose, complain, confirm, goBack, refresh, reopen, unfold } from "./questions.js";
import { toggleDialog } from "./site.js";

const form = document.getElementById("calibration");
let isArrowing = false;

/** Submit, or go on to the next question; on a page without a form, to the next page. */
function goOn({ isLoud }) {
  if (!form) return document.querySelector("[data-continue]")?.click();
  const { isComplete, isLast } = refresh(form);
  if (isComplete && isLast) form.querySelector("button.primary").click();
  else if (!confirm(form) && isLoud) complain(form);
}

function togglePassage() {
  const details = document.getElementById("whole-passage");
  if (!details) return;
  details.open = !details.open;
  if (details.open) details.querySelector("summary").focus();
}

const COMMANDS = {
  b: () => form && goBack(form),
  g: () => toggleDialog("guidelines"),
  p: togglePassage,
  "?": () => toggleDialog("keys"),
};

document.addEventListener("keydown", (event) => {
  isArrowing = event.key.startsWith("Arrow");
  if (!isForPage(event)) return;
  const isDialogOpen = document.querySelector("dialog[open]") !== null;
  const key = keyOf(event);
  if (event.key === "Enter" && !isDialogOpen) {
    event.preventDefault();
    return goOn({ isLoud: false });
  }
  if (!areShortcutsOn() || (isDialogOpen && !["g", "?"].includes(key))) return;
  const choice = form && !isDialogOpen && choiceFor(form, key);
  if (choice) {
    event.preventDefault();
    choice.checked = choice.type === "radio" || !choice.checked;
    choose(form, choice, { moveOn: true });
  } else if (Object.hasOwn(COMMANDS, key)) {
    event.preventDefault();
    COMMANDS[key]();
  }
});

document.addEventListener("change", (event) => {
  if (!form || !event.target.dataset.key || event.target.form !== form) return;
  // arrows walk through the answers: they choose, but only Enter goes on
  choose(form, event.target, { moveOn: !isArrowing });
});

document.addEventListener("click", (event) => {
  if (!form) return;
  const button = event.target.closest("[data-reopen]");
  if (button) reopen(form, button.closest("fieldset"));
  const pressed = event.target.closest(".go button");
  if (!pressed || (pressed.value === "submit" && refresh(form).isComplete)) return;
  event.preventDefault();
  if (pressed.value === "previous") goBack(form);
  else goOn({ isLoud: true });
});

if (form) unfold(form);
document.querySelector("[data-focus]")?.focus({ preventScroll: true });
watchSwitch(document.getElementById("shortcuts"));
