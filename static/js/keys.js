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

/** The key as a lower-case Latin letter or digit, also on a keyboard of another script. */
export function keyOf(event) {
  if (event.key.length > 1 || event.key.charCodeAt(0) < 128) return event.key.toLowerCase();
  const match = event.code.match(/^(?:Key|Digit)(\w)$/);
  return match ? match[1].toLowerCase() : event.key;
}

/** Whether a key press is meant for the page and not for a field, a menu or the browser. */
export function isForPage(event) {
  if (event.defaultPrevented || event.repeat || event.isComposing) return false;
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  if (event.target.closest?.(TYPING)) return false;
  return !(event.key === "Enter" && event.target.closest?.(OWN_ENTER));
}
