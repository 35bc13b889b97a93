// The data explorer: single keys. All of it works without this script too, by links and buttons.

import { areShortcutsOn, isForPage, keyOf, watchSwitch } from "./keys.js";
import { openDialog } from "./site.js";

const lines = () => [...document.querySelectorAll(".items tbody tr")];

const lineHere = () => document.activeElement?.closest(".items tbody tr");

function move(step) {
  const all = lines();
  const here = all.indexOf(lineHere());
  const next = all[here < 0 ? (step > 0 ? 0 : all.length - 1) : here + step];
  if (!next) return;
  next.querySelector("th a").focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

function openFilters() {
  const panel = document.querySelector(".filters-panel");
  if (!panel) return;
  panel.open = true;
  panel.querySelector("select, input").focus();
}

const follow = (selector) => document.querySelector(selector)?.click();
const isList = Boolean(document.getElementById("asking"));

const ofList = {
  "/": () => document.getElementById("id_q").select(),
  j: () => move(1),
  k: () => move(-1),
  arrowdown: () => lineHere() && move(1),
  arrowup: () => lineHere() && move(-1),
  o: () => lineHere()?.querySelector("th a").click(),
  f: openFilters,
  n: () => follow("a[rel=next]"),
  p: () => follow("a[rel=prev]"),
};
const ofItem = {
  j: () => follow("a[rel=next]"),
  k: () => follow("a[rel=prev]"),
  u: () => follow("[data-up]"),
};
const commands = { ...(isList ? ofList : ofItem), "?": () => openDialog("keys") };

document.addEventListener("keydown", (event) => {
  if (!areShortcutsOn() || document.querySelector("dialog[open]:modal") || !isForPage(event)) return;
  const key = keyOf(event);
  const isArrow = key.startsWith("arrow");
  if (!(key in commands) || (isArrow && !lineHere())) return;
  event.preventDefault();
  commands[key]();
});

const shortcuts = document.getElementById("shortcuts");
if (shortcuts) watchSwitch(shortcuts);
// A line that the address names is where one goes on. The browser goes there first, and takes the
// focus away with that.
addEventListener("load", () => {
  if (!location.hash.startsWith("#i")) return;
  document.getElementById(location.hash.slice(1))?.querySelector("th a")?.focus();
});
