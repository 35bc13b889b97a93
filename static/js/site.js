// What every page may use: theme, dialogs, copy buttons, one submission per form.

import { csrfToken, renewForms } from "./csrf.js";
import { remember } from "./memory.js";
import { obstacle } from "./session.js";

const isDark = () =>
  (document.documentElement.dataset.theme ??
    (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

// Where there is room a drawer stands beside the page, and leaves the keyboard to it; else it is over it.
const isRoomy = matchMedia("(min-width: 69rem)");

export function openDialog(id) {
  const dialog = document.getElementById(id);
  if (!dialog || dialog.open) return;
  if (!isRoomy.matches || !dialog.matches(".beside")) return dialog.showModal();
  const reader = document.activeElement;
  dialog.show();
  if (reader === document.body) document.activeElement.blur();
  else reader.focus({ preventScroll: true });
}

isRoomy.addEventListener("change", () => {
  for (const dialog of document.querySelectorAll(".beside[open]")) dialog.close();
});

// One beside the page has no Escape of the browser's own.
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  document.querySelector(".beside[open]:not(:modal)")?.close();
});

export function toggleDialog(id) {
  const dialog = document.getElementById(id);
  if (dialog?.open) dialog.close();
  else openDialog(id);
}

function toggleTheme() {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  remember("theme", theme);
}

async function copy(button) {
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  button.textContent = button.dataset.copied;
}

document.addEventListener("click", (event) => {
  const { target } = event;
  if (target.closest("[data-theme-toggle]")) toggleTheme();
  const opener = target.closest("[data-dialog]");
  if (opener) {
    event.preventDefault();
    openDialog(opener.dataset.dialog);
  }
  const copier = target.closest("[data-copy]");
  if (copier) copy(copier);
  // a click beside a dialog's content hits the dialog itself
  if (target instanceof HTMLDialogElement) target.close();
});

// A form that leaves the page is sent once, however often its button is pressed.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "yes";
  if (csrfToken() === token) return;
  event.preventDefault();
  sendAnew(form, event.submitter);
});
let token = csrfToken(); // as it was when the page came

/** Somebody has signed in since. The form is theirs to send if it was on a page of theirs, or of
    nobody's; else it keeps its token, and the server refuses it. */
async function sendAnew(form, submitter) {
  const isTheirs = !document.body.dataset.user || (await obstacle().catch(() => "unreached")) === "";
  if (isTheirs) renewForms();
  token = csrfToken();
  delete form.dataset.sent;
  form.requestSubmit(submitter);
}

addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});

// The account menu closes when one clicks or tabs elsewhere.
for (const name of ["click", "focusin"]) {
  document.addEventListener(name, (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
}

