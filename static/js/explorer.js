// The data explorer: single keys, choosing many items, and how many are chosen. All of it works
// without this script too, by links, boxes and buttons.

import { areShortcutsOn, isForPage, keysOf, watchSwitch } from "./keys.js";
import { openDialog } from "./site.js";

const list = document.getElementById("choosing");
const bulk = document.getElementById("bulk");
const number = document.getElementById("number-chosen");
const lines = () => [...document.querySelectorAll(".items tbody tr")];
const boxes = () => [...document.querySelectorAll(".items tbody .box input")];
const chooseAll = document.querySelector("[data-all]");

const kept = list && `chosen ${list.action} ${list.elements.query.value}`;
let elsewhere = []; // items that were chosen on other pages of this list

/** Choose again what was chosen in this list before, unless that has been acted on. */
function recall() {
  if (document.querySelector(".done")) sessionStorage.removeItem(kept);
  const chosen = new Set(sessionStorage.getItem(kept)?.split(" "));
  for (const box of boxes()) box.checked = chosen.delete(box.value);
  elsewhere = [...chosen].filter(Boolean);
  tell();
}

function chooseNone() {
  elsewhere = [];
  for (const box of boxes()) box.checked = false;
  tell();
}

/** Say how many are chosen; the acts are there as soon as one is. */
function tell() {
  if (!bulk) return;
  const all = list.elements.everything.checked;
  const here = boxes().filter((box) => box.checked).map((box) => box.value);
  const chosen = here.length + elsewhere.length;
  sessionStorage.setItem(kept, [...elsewhere, ...here].join(" "));
  document.getElementById("choose-none").hidden = all || elsewhere.length === 0;
  const { none, one, many } = number.dataset;
  const text = chosen === 0 ? none : chosen === 1 ? one : many.replace("%n", chosen);
  number.textContent = all ? "" : text;
  bulk.classList.toggle("chosen", all || chosen > 0);
  if (chooseAll) {
    chooseAll.checked = here.length > 0 && here.length === boxes().length;
    chooseAll.indeterminate = here.length > 0 && here.length < boxes().length;
  }
}

let last = null;

/** A box that is clicked with Shift chooses all between it and the one before. */
function onClick(event) {
  const box = event.target.closest(".items tbody .box input");
  if (!box) return;
  const all = boxes();
  if (event.shiftKey && last && all.includes(last)) {
    const [from, to] = [all.indexOf(last), all.indexOf(box)].sort((a, b) => a - b);
    for (const each of all.slice(from, to + 1)) each.checked = box.checked;
  }
  last = box;
  tell();
}

const lineHere = () => document.activeElement?.closest(".items tbody tr");

function move(step) {
  const all = lines();
  const here = all.indexOf(lineHere());
  const next = all[here < 0 ? (step > 0 ? 0 : all.length - 1) : here + step];
  if (!next) return;
  next.querySelector("th a").focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

function toggleHere() {
  const box = lineHere()?.querySelector(".box input");
  if (!box) return;
  box.checked = !box.checked;
  last = box;
  tell();
}

function toggleAll() {
  const all = boxes();
  const isFull = all.every((box) => box.checked);
  for (const box of all) box.checked = !isFull;
  tell();
}

function toggleFilters() {
  const panel = document.querySelector(".filters-panel");
  if (!panel) return;
  panel.open = !panel.open;
  panel.querySelector(panel.open ? "select, input" : "summary").focus();
}

/** Escape closes the panel or menu that one is in. */
function closeHere() {
  const open = document.activeElement?.closest("details[open]");
  if (!open) return;
  open.open = false;
  open.querySelector("summary").focus();
}

/** A field left empty asks nothing, and need not stand in the address. */
function leaveOutEmpty(event) {
  const empty = [...event.target.elements].filter((field) => field.name && !field.value);
  for (const field of empty) field.disabled = true;
  addEventListener("pageshow", () => empty.forEach((field) => (field.disabled = false)));
}

const follow = (selector) => document.querySelector(selector)?.click();
const isList = Boolean(document.getElementById("asking"));

const ofList = {
  "/": () => document.getElementById("id_q").select(),
  j: () => move(1),
  k: () => move(-1),
  arrowdown: () => lineHere() && move(1),
  arrowup: () => lineHere() && move(-1),
  x: toggleHere,
  a: () => list && toggleAll(),
  o: () => lineHere()?.querySelector("th a").click(),
  f: toggleFilters,
  b: () => document.querySelector(".bulk.chosen button")?.focus(),
  n: () => follow("a[rel=next]"),
  p: () => follow("a[rel=prev]"),
};
const ofItem = {
  j: () => follow("a[rel=next]"),
  k: () => follow("a[rel=prev]"),
  u: () => follow("[data-up]"),
};
const commands = { ...(isList ? ofList : ofItem), "?": () => openDialog("keys") };

document.getElementById("asking")?.addEventListener("submit", leaveOutEmpty);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeHere();
  if (!areShortcutsOn() || document.querySelector("dialog[open]:modal") || !isForPage(event)) return;
  const key = keysOf(event).find((each) => Object.hasOwn(commands, each));
  if (!key || (key.startsWith("arrow") && !lineHere())) return;
  event.preventDefault();
  commands[key]();
});

const shortcuts = document.getElementById("shortcuts");
if (shortcuts) watchSwitch(shortcuts);
if (list) {
  list.addEventListener("click", onClick);
  list.addEventListener("change", tell);
  chooseAll?.addEventListener("change", () => {
    for (const box of boxes()) box.checked = chooseAll.checked;
    tell();
  });
  list.addEventListener("formdata", ({ formData }) => {
    for (const item of elsewhere) formData.append("items", item);
  });
  document.getElementById("choose-none")?.addEventListener("click", chooseNone);
  addEventListener("pageshow", recall); // the browser may show a page as it was left
  recall();
}
// A line that the address names is where one goes on. The browser goes there first, and takes the
// focus away with that.
addEventListener("load", () => {
  if (!location.hash.startsWith("#i")) return;
  document.getElementById(location.hash.slice(1))?.querySelector("th a")?.focus();
});
