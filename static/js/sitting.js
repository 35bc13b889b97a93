// The rater's own sitting: how much they want to do, how far they are, how fast, and when to rest.
// It is for their eyes: kept in this browser, never sent.

import { recall, remember } from "./memory.js";

const MINUTE = 60_000;
const NEW_AFTER = 30 * MINUTE; // without a rating, the next one begins another sitting
const PACE_AFTER = 3; // ratings: before that their mean says nothing

const panel = document.getElementById("sitting");
let sitting = restore();

/** The sitting that this browser is in; another one after a long rest. */
function restore() {
  const [begun, last, count, seconds, restedAt] = (recall("sitting") ?? "").split(" ").map(Number);
  if (!begun || Date.now() - last > NEW_AFTER) return begin();
  return { begun, last, count, seconds, restedAt };
}

function begin() {
  const now = Date.now();
  return { begun: now, last: now, count: 0, seconds: 0, restedAt: now };
}

function keep() {
  const { begun, last, count, seconds, restedAt } = sitting;
  remember("sitting", [begun, last, count, seconds, restedAt].join(" "));
  show();
}

/** Count one rating that was stored, with the seconds it took. */
export function countRating(seconds) {
  if (!panel) return;
  if (Date.now() - sitting.last > NEW_AFTER) sitting = begin();
  sitting.count += 1;
  sitting.seconds += seconds;
  sitting.last = Date.now();
  keep();
}

function show() {
  const [kind, wanted] = (recall("goal") ?? "").split("-");
  const minutes = Math.floor((Date.now() - sitting.begun) / MINUTE);
  const done = kind === "time" ? minutes : sitting.count;
  const words = panel.dataset;
  const parts = [];
  if (kind === "items") parts.push(fill(words.items, { done, wanted }));
  if (kind === "time") parts.push(fill(words.time, { done, wanted }));
  if (sitting.count >= PACE_AFTER) {
    parts.push(fill(words.pace, { seconds: Math.round(sitting.seconds / sitting.count) }));
  }
  write(panel.querySelector("[data-state]"), parts.join(" · ") || words.none);
  const bar = panel.querySelector("progress");
  bar.hidden = !wanted;
  if (wanted) Object.assign(bar, { max: Number(wanted), value: Math.min(done, wanted) });
  const hint = document.getElementById("sitting-hint");
  write(hint, wanted && done >= Number(wanted) ? words.reached : restHint());
}

/** What to say where one has worked for longer than one wanted without a rest. */
function restHint() {
  const after = Number(recall("rest") ?? 45);
  const worked = Math.floor((Date.now() - sitting.restedAt) / MINUTE);
  return after && sitting.count && worked >= after ? fill(panel.dataset.rest, { worked }) : "";
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_all, name) => values[name]);
}

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function watch() {
  const [goal, rest] = [panel.querySelector("[name=goal]"), panel.querySelector("[name=rest]")];
  goal.value = recall("goal") ?? "";
  rest.value = recall("rest") ?? "45";
  goal.addEventListener("change", () => {
    remember("goal", goal.value);
    sitting = begin(); // a goal is for what comes from now on
    keep();
  });
  rest.addEventListener("change", () => {
    remember("rest", rest.value);
    show();
  });
  panel.querySelector("[data-rested]").addEventListener("click", () => {
    sitting = begin();
    keep();
    panel.open = false;
  });
  setInterval(show, MINUTE / 4);
  show();
}

if (panel) watch();
