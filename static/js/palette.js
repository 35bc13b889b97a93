// Find anything from any page: Ctrl K, some words, Enter. It lists the results of
// the page of the same name, so nothing is lost without this script.

import { keysOf } from "./keys.js";

const dialog = document.getElementById("palette");
const form = dialog?.querySelector("form");
const field = form?.querySelector("input[type=search]");
const results = dialog?.querySelector(".results");
const WAIT = 120; // ms after the last key
let timer = 0;
let asked = 0;

const addressOf = () => `${form.action}?${new URLSearchParams(new FormData(form))}`;
const links = () => [...results.querySelectorAll("a")];

/** Whether what is listed has the words; null where the site did not say what has them. */
async function search() {
  clearTimeout(timer);
  asked += 1;
  const mine = asked;
  let answer;
  try {
    answer = await fetch(addressOf(), { headers: { "X-Requested-With": "fetch" } });
  } catch {
    return null;
  }
  if (!answer.ok) return null;
  const list = await answer.text();
  if (mine !== asked) return false; // something newer was typed meanwhile
  results.innerHTML = list;
  results.scrollTop = 0;
  return true;
}

function open() {
  document.querySelector("dialog[open]")?.close();
  dialog.showModal();
  field.select();
  search();
}

/** The link after or before the one in focus; the field stands before the first. */
function move(step) {
  const all = [field, ...links()];
  const next = all.indexOf(document.activeElement) + step;
  all[Math.max(0, Math.min(next, all.length - 1))].focus();
}

function onKey(event) {
  if (event.isComposing || event.ctrlKey || event.metaKey) return;
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (event.key === "Escape") {
    event.preventDefault(); // a search field would be emptied first
    dialog.close();
  } else if (event.key in steps) {
    event.preventDefault();
    move(steps[event.key]);
  } else if (event.key.length === 1 && !event.altKey) {
    if (document.activeElement !== field) field.focus(); // typing goes on in the field
  }
  event.stopPropagation(); // a key of the page under it is none of its own
}

if (dialog) {
  document.addEventListener("keydown", (event) => {
    const isCalled = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (!isCalled || !keysOf(event).includes("k")) return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else open();
  });
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-palette]");
    if (!opener || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  dialog.addEventListener("keydown", onKey);
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, WAIT);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const isListed = await search();
    if (isListed === null) location.assign(addressOf()); // the page says what is wrong
    const [first] = links();
    if (isListed && first) location.assign(first.href);
  });
  results.addEventListener("click", (event) => {
    if (event.target.closest("a")) dialog.close(); // it may lead to a part of this page
  });
}
