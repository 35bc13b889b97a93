// The rater's own sitting: how much they want to do, how far they are, how fast, and when to rest.
// It is for their eyes: kept in this browser, never sent.

import { recall, remember } from "./memory.js";

const MINUTE = 60_000;
const REST = 5 * MINUTE; // so long without a rating is a break
const AWAY = 30 * MINUTE; // after which the next rating begins another sitting
const PACE_AFTER = 3; // ratings: before that their mean says nothing

const panel = document.getElementById("sitting");
const ownName = (name) => `${name} of ${document.body.dataset.user}`; // browsers are shared
let sitting = restore();

/** The sitting that this browser is in. */
function restore() {
  const [begun, last, count, seconds, rested] = (recall(ownName("sitting")) ?? "").split(" ").map(Number);
  if (!begun || Date.now() - last > AWAY) return begin();
  return { begun, last, count, seconds, rested };
}

function begin() {
  const now = Date.now();
  return { begun: now, last: now, count: 0, seconds: 0, rested: now };
}

function keep() {
  const { begun, last, count, seconds, rested } = sitting;
  remember(ownName("sitting"), [begun, last, count, seconds, rested].join(" "));
  show();
}

/** Count one rating that was stored, with the seconds it took. */
export function countRating(seconds) {
  if (!panel) return;
  const now = Date.now();
  sitting = restore(); // another tab may have counted
  if (now - sitting.last > REST) sitting.rested = now;
  sitting.count += 1;
  sitting.seconds += seconds;
  sitting.last = now;
  keep();
}

function show() {
  const [kind, wanted] = (recall(ownName("goal")) ?? "").split("-");
  const minutes = Math.floor((Date.now() - sitting.begun) / MINUTE);
  const done = kind === "time" ? minutes : sitting.count;
  const words = panel.dataset;
  const parts = [];
  if (kind) parts.push(fill(words[kind], { done, wanted }));
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

/** What to say where one has worked for longer than one wanted without a break. */
function restHint() {
  const minutes = Number(recall(ownName("rest")) ?? 45);
  const isDue = minutes && sitting.count && Date.now() - sitting.rested >= minutes * MINUTE;
  return isDue ? fill(panel.dataset.rest, { minutes }) : "";
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_all, name) => values[name]);
}

// what is written again is read out again
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function watch() {
  const [goal, rest] = [panel.querySelector("[name=goal]"), panel.querySelector("[name=rest]")];
  goal.value = recall(ownName("goal")) ?? "";
  rest.value = recall(ownName("rest")) ?? "45";
  goal.addEventListener("change", () => {
    remember(ownName("goal"), goal.value);
    sitting = begin(); // a goal is for what comes from now on
    keep();
  });
  rest.addEventListener("change", () => {
    remember(ownName("rest"), rest.value);
    show();
  });
  panel.querySelector("[data-anew]").addEventListener("click", () => {
    sitting = begin();
    keep();
    panel.open = false;
  });
  setInterval(show, MINUTE / 4);
  show();
}

if (panel) watch();
