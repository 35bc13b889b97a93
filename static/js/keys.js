// Single-key shortcuts: off where one types or combines keys, and switchable altogether.

import { recall, remember } from "./memory.js";

const TYPING = "input:not([type=radio], [type=checkbox], [type=hidden]), textarea, select, [contenteditable]";
const OWN_ENTER = "a, button, summary, [role=button]";

export const areShortcutsOn = () => recall("shortcuts") !== "off";

/** Keep the switch in the key list and the remembered setting the same. */
export function watchSwitch(box) {
  const show = () => document.documentElement.classList.toggle("no-shortcuts", !box.checked);
  box.checked = areShortcutsOn();
  show();
  box.addEventListener("change", () => {
    remember("shortcuts", box.checked ? "on" : "off");
    show();
  });
}

// Arabic, Armenian, Ethiopic, full-width, and Greek, which keyboards print as a semicolon at Q.
const QUESTION_MARK = /^[\u061F\u055E\u1367\uFF1F\u037E]$/;
const NAMED = /^[A-Z]\w+$/; // Enter, F1; one key of Arabic prints two letters
// an accent that waits for its letter, and what Chromium says of that key of Arabic
const UNSAID = ["Dead", "Unidentified"];

/** What a key press may mean: first what it prints, in lower case, a digit or question mark of any
    script as ours; then the place of the key, where what it prints is no Latin letter or digit.
    Rows whose digits need Shift mean digits without it. */
export function keysOf({ key, code, shiftKey }) {
  const isUnsaid = UNSAID.includes(key);
  if (NAMED.test(key) && !isUnsaid) return [key.toLowerCase()];
  const printed = isUnsaid ? "" : inOurScript(key, code);
  const [, kind, place] = code.match(/^(Key|Digit)(\w)$/) ?? [];
  const isByPlace = kind === "Key" ? !(printed.charCodeAt(0) < 128) : kind === "Digit" && !shiftKey;
  return isByPlace && !/^\d$/.test(printed) ? [printed, place.toLowerCase()] : [printed];
}

function inOurScript(key, code) {
  if (QUESTION_MARK.test(key) || (key === ";" && code === "KeyQ")) return "?";
  if (!/^\p{Nd}$/u.test(key)) return key.toLowerCase();
  // digits stand in Unicode by tens, from zero on
  let digit = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(key.codePointAt(0) - digit - 1))) digit++;
  return String(digit % 10);
}

/** Whether a key press is meant for the page and not for a field, a menu or the browser. */
export function isForPage(event) {
  if (event.defaultPrevented || event.repeat || event.isComposing) return false;
  // AltGr, which some systems say is Ctrl and Alt, and some neither
  if (event.ctrlKey || event.altKey || event.metaKey || event.getModifierState("AltGraph")) return false;
  if (event.target.closest?.(TYPING)) return false;
  return !(event.key === "Enter" && event.target.closest?.(OWN_ENTER));
}
