// A form that is answered question by question, by keyboard or pointer, and then sent as a whole.

import { toggleAnswers, watchAnswers } from "./answers.js";
import { areShortcutsOn, isForPage, keysOf, watchSwitch } from "./keys.js";
import { choiceFor, choose, complain, confirm, goBack, refresh, reopen, unfold } from "./questions.js";
import { toggleDialog } from "./site.js";

/** Open or fold a panel, with the keyboard in the part of it that matters. */
export function togglePanel(details, focused) {
  if (!details) return;
  details.open = !details.open;
  if (details.open) details.querySelector(focused)?.focus();
}

/** Let the page's keys work on a form, null on a page without one. `commands` are further keys,
 * `goOnWithout` is Enter where there is no form, `finish` is what completes the form, and `signal`
 * ends it all. */
export function startJudging(form, { commands = {}, goOnWithout, finish, signal } = {}) {
  const all = {
    a: toggleAnswers,
    b: () => form && goBack(form),
    g: () => toggleDialog("guidelines"),
    p: () => togglePanel(document.getElementById("whole-passage"), ".passage"),
    "?": () => toggleDialog("keys"),
    ...commands,
  };
  const complete = finish ?? (() => form.querySelector("button.primary").click());
  let isArrowing = false;

  function goOn() {
    if (!form) return goOnWithout?.();
    const { isComplete, isLast } = refresh(form);
    if (isComplete && isLast) complete();
    else if (!confirm(form)) complain(form);
  }

  document.addEventListener("keydown", (event) => {
    isArrowing = event.key.startsWith("Arrow");
    if (!isForPage(event)) return;
    const isDialogOpen = document.querySelector("dialog:modal") !== null;
    const keys = keysOf(event);
    if (event.key === "Enter" && !isDialogOpen) {
      event.preventDefault();
      return goOn();
    }
    if (!areShortcutsOn()) return;
    const choice = form && !isDialogOpen && choiceFor(form, keys);
    const isCommand = (key) => Object.hasOwn(all, key) && (!isDialogOpen || ["g", "?"].includes(key));
    const command = keys.find(isCommand);
    if (choice) {
      event.preventDefault();
      choice.checked = choice.type === "radio" || !choice.checked;
      choose(form, choice, { moveOn: true });
    } else if (command) {
      event.preventDefault();
      all[command]();
    }
  }, { signal });

  document.addEventListener("change", (event) => {
    if (!form || !event.target.dataset.key || event.target.form !== form) return;
    // arrows walk through the answers: they choose, but only Enter goes on
    choose(form, event.target, { moveOn: !isArrowing });
  }, { signal });

  document.addEventListener("click", (event) => {
    if (!form) return;
    const button = event.target.closest("[data-reopen]");
    if (button) reopen(form, button.closest("fieldset"));
    const pressed = event.target.closest(".go button");
    if (!pressed || (pressed.value === "submit" && refresh(form).isComplete)) return;
    event.preventDefault();
    if (pressed.value === "previous") goBack(form);
    else goOn();
  }, { signal });

  watchAnswers(document.querySelector(".desk"));
  if (form) unfold(form);
  document.querySelector("[data-focus]")?.focus({ preventScroll: true });
  watchSwitch(document.getElementById("shortcuts"));
}
