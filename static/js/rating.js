// The rating page: keyboard, questions one at a time, drafts, one submission per form.

import { toggleAnswers, watchAnswers } from "./answers.js";
import { startClock } from "./clock.js";
import { keepDraft } from "./draft.js";
import { fetchFollowing, keepFollowing } from "./following.js";
import { areShortcutsOn, isForPage, keysOf, watchSwitch } from "./keys.js";
import { choiceFor, choose, complain, confirm, goBack, refresh, reopen, unfold } from "./questions.js";
import { partsOf, place } from "./parts.js";
import { toggleDialog } from "./site.js";
import { countRating } from "./sitting.js";
import { send } from "./submission.js";
import { awaitReturn, clearTrouble, lookAgain, showTrouble } from "./troubles.js";

let desk = null;
let form = null;
let suggested = null; // the form that goes on from a suggestion, where one is on the desk
let draft = null;
let clock = null;
let following = null;
let cameAt = -Infinity;
let isTouched = false; // whether a question of this item has been answered since it came
let isArrowing = false;

/** Work with what is on the desk now. */
function start() {
  draft?.end();
  clock?.stop();
  desk = document.getElementById("rate");
  form = document.getElementById("rating");
  suggested = document.getElementById("go-on");
  watchAnswers(desk);
  if (!form) return;
  unfold(form);
  clock = startClock(form.elements.seconds);
  draft = keepDraft(form, onReturn);
}

const primary = () => form.querySelector("button.primary");

/** Whether the item on the desk is new and untouched: a second press was meant for the one before. */
const isJustCome = () => !isTouched && performance.now() - cameAt < FRESH_PRESS;

/** Submit, or go on to the next question; what is missing is asked for. */
function goOn() {
  const { isComplete, isLast } = refresh(form);
  if (isComplete && isLast) primary().click();
  else if (!confirm(form) && !isJustCome()) complain(form);
}

async function back() {
  if (suggested) return location.assign(suggested.dataset.revise);
  if (goBack(form)) return;
  const from = form;
  await underWay?.end;
  if (form === from && form.dataset.previous) location.assign(form.dataset.previous);
}

function toggle(selector, focused) {
  const details = document.querySelector(selector);
  if (!details) return;
  details.open = !details.open;
  const next = form?.querySelector("fieldset.asked") ?? document.getElementById("item-question");
  (details.open ? details.querySelector(focused) : next)?.focus();
}

const ON_A_SUGGESTION = ["b", "p", "g", "?"];
const WITHOUT_AN_ITEM = ["g", "?"];
const COMMANDS = {
  a: toggleAnswers,
  b: back,
  c: () => toggle("details.comment", "textarea"),
  f: () => toggle("details.flag", "input[name=reason]"),
  g: () => toggleDialog("guidelines"),
  p: () => toggle("#whole-passage", ".passage"),
  s: () => toggle("details.skip", "button"),
  "?": () => toggleDialog("keys"),
};

document.addEventListener("keydown", (event) => {
  isArrowing = event.key.startsWith("Arrow");
  if (event.key === "Escape") return leave(event);
  if (!isForPage(event)) return;
  const dialog = document.querySelector("dialog:modal");
  const keys = keysOf(event);
  if (event.key === "Enter" && (form || suggested) && !dialog) {
    event.preventDefault();
    return form ? goOn() : leaveSuggestion();
  }
  if (!areShortcutsOn()) return;
  // while a reason to skip is asked for, its digits mean reasons
  const skip = !dialog && document.querySelector("details.skip[open]");
  const reason = skip && [...skip.querySelectorAll("[data-key]")].find((each) => keys.includes(each.dataset.key));
  const choice = form && !dialog && !skip && choiceFor(form, keys);
  const command = keys.find((key) => isCommand(key) && (!dialog || WITHOUT_AN_ITEM.includes(key)));
  if (reason) {
    event.preventDefault();
    if (reason.matches("button")) reason.click();
    else reason.focus();
  } else if (choice) {
    event.preventDefault();
    choice.checked = choice.type === "radio" || !choice.checked;
    answer(choice, true);
    // Enter is now for the form, and not for what was pressed last
    if (!form.contains(document.activeElement)) form.querySelector("fieldset.asked").focus();
  } else if (command) {
    event.preventDefault();
    COMMANDS[command]();
  }
});

function isCommand(key) {
  if (form) return Object.hasOwn(COMMANDS, key);
  return (suggested ? ON_A_SUGGESTION : WITHOUT_AN_ITEM).includes(key);
}

/** Escape closes a panel or leaves a field; an open dialog closes by itself. */
function leave(event) {
  const panel = document.querySelector(".extras [open]");
  if (document.querySelector("dialog:modal") || !(panel || event.target.matches("textarea, input"))) return;
  event.preventDefault();
  if (panel) panel.open = false;
  form?.querySelector("fieldset.asked")?.focus();
}

function answer(input, moveOn) {
  choose(form, input, { moveOn });
  draft.change();
}

document.addEventListener("change", (event) => {
  if (!event.target.dataset.key || event.target.form !== form) return;
  isTouched = true;
  // arrows walk through the answers: they choose, but only Enter goes on
  answer(event.target, !isArrowing);
});

document.addEventListener("click", (event) => {
  const button = form && event.target.closest("[data-reopen]");
  if (button) reopen(form, button.closest("fieldset"));
  const pressed = event.target.closest(".go button");
  if (!pressed || (pressed.form !== form && pressed.form !== suggested)) return;
  event.preventDefault();
  if (pressed.value === "previous") return back();
  // the second half of a double click is not meant for what has just come
  if (event.detail && isJustCome()) return;
  if (pressed.form === suggested) return leaveSuggestion();
  if (pressed.value === "submit" && refresh(form).isComplete) submit();
  else goOn();
});

// a toggle does not bubble
document.addEventListener("toggle", ({ target }) => {
  // what is typed after a press on a panel's name is for its field; a key has led there at once
  if (target.open && target.matches(".extras details") && document.activeElement.matches("summary, body")) {
    target.querySelector("textarea, button, input:not([type=hidden])").focus();
  }
  if (target.dataset.source) fill(target);
}, { capture: true });

/** What the admins have answered comes when it is opened. */
async function fill(details) {
  const source = details.dataset.source;
  delete details.dataset.source;
  const answer = await fetch(source, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (answer?.ok) details.querySelector("div").replaceChildren(partsOf(await answer.text()));
}

// the other words come with another page: what was just typed goes before it
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="?words="]');
  if (!link || !draft) return;
  event.preventDefault();
  draft.save().finally(() => location.assign(link.href));
});

// --- sending: the next item is shown at once if it is here, and the form sent comes back if the
// server did not store it ------------------------------------------------------------------------

const FRESH_PRESS = 500;
let underWay = null; // the form that is being sent, and when that ends
const waiting = new Set();

/** Send a form once those before it are answered; asking for it twice sends it once. Unless
    `isKept`, it is dropped if its item has left the desk by then. */
async function inTurn(sender, sending, { isKept = false } = {}) {
  if (waiting.has(sender) || underWay?.sent === sender) return;
  waiting.add(sender);
  // several may wait: whoever is the first to find nothing under way is the next
  while (underWay) await underWay.end;
  waiting.delete(sender);
  if (!sender.isConnected && !isKept) return;
  underWay = { sent: sender, end: sending() };
  await underWay.end;
  underWay = null;
  if (form && !following) following = fetchFollowing(form);
}

const submit = () => inTurn(form, submission);

async function submission() {
  const sent = { desk, form };
  clock.tick();
  draft.stop();
  clearTrouble(form);
  const fields = new FormData(form);
  fields.set("action", "submit");
  // where the suggestion comes first, the next item waits for the rater to go on from it
  const next = "waits" in form.dataset ? null : showFollowing(fields);
  if (next) document.getElementById("stored").textContent = sent.form.dataset.saving;
  sent.form.querySelector("button.primary").disabled = true;
  const answer = await send(sent.form, fields);
  if (answer.trouble) return bringBack(sent, answer.trouble);
  if (answer.isStored && sent.form.dataset.following) countRating(Number(sent.form.elements.seconds.value));
  if (!answer.isStored && next) following = keepFollowing(desk);
  take(answer);
}

/** Go on from the suggestion to the next item. */
const leaveSuggestion = () => inTurn(suggested, leaving);

async function leaving() {
  const sent = { desk, form: suggested };
  clearTrouble(suggested);
  const fields = new FormData(suggested);
  showFollowing(fields);
  sent.form.querySelector("button.primary").disabled = true;
  const answer = await send(sent.form, fields);
  if (answer.trouble) return bringBack(sent, answer.trouble);
  take(answer);
}

/** Put what follows on the desk, if it is here, and note in the fields that it is shown. */
function showFollowing(fields) {
  const next = following?.take();
  following = null;
  if (!next) return null;
  fields.set("shown", next.dataset.assignment);
  putOnDesk(next);
  return next;
}

/** Put a form that was not stored back on the desk, and what took its place behind it. */
function bringBack(sent, trouble) {
  if (desk !== sent.desk) {
    const aside = keepFollowing(desk);
    document.getElementById("stored").textContent = "";
    putOnDesk(sent.desk);
    following = aside;
  }
  sent.form.querySelector("button.primary").disabled = false;
  showTrouble(sent.form, trouble);
  if (!form) return;
  draft.goOn();
  form.querySelector("fieldset.asked").focus();
}

/** Show what the server answered: the next item, the form with a complaint, or that all is well. */
function take({ parts, isStored, address, elsewhere }) {
  // the rating is stored, and something has to be done before there are further items
  if (elsewhere) return location.assign(elsewhere);
  if (address) history.replaceState(null, "", address);
  const found = parts.querySelector("#rate");
  // an item that came made what was fetched before needless; a suggestion comes before that
  if (found && isStored && !found.querySelector("#go-on")) following = null;
  if (found) putOnDesk(found);
  place(parts);
  document.getElementById("announcement").textContent = found
    ? desk.dataset.announce
    : desk.dataset.announceStored;
}

function putOnDesk(next) {
  desk.replaceWith(next);
  cameAt = performance.now();
  isTouched = false;
  start();
  arrive();
}

/** Lead the reader to what has come: to the complaint, or to the top of the next item. */
function arrive() {
  const complaint = form && desk.querySelector(".trouble:not(:empty)");
  if (complaint) return form.querySelector("fieldset.asked").focus();
  scrollTo({ top: 0 });
  desk.querySelector("h1").focus({ preventScroll: true });
}

// Skip and flag, before the site's own watch over forms that leave the page. A flag is for its item
// even if that has been rated meanwhile.
document.addEventListener("submit", (event) => {
  const sender = event.target;
  if (!sender.matches(".extras form")) return;
  event.preventDefault();
  const fields = new FormData(sender, event.submitter);
  inTurn(sender, () => acting(sender, fields), { isKept: sender.matches(".flag form") });
}, { capture: true });

async function acting(sender, fields) {
  clearTrouble(sender);
  const answer = await send(sender, fields);
  if (answer.trouble) return showTrouble(sender.isConnected ? sender : (form ?? sender), answer.trouble);
  lookAgain(onReturn);
  if (answer.parts.querySelector("#rate")) return take(answer);
  // a flag leaves the form as it is
  const flag = answer.parts.querySelector("#flag");
  document.getElementById("announcement").textContent = flag.dataset.announce;
  if (!sender.isConnected) return;
  sender.closest("details").replaceWith(flag);
  form?.querySelector("fieldset.asked").focus();
}

/** Go on with what had to wait while the page's person was signed out. */
function onReturn() {
  draft?.save();
  if (form && !underWay) following = fetchFollowing(form);
}

start();
following = form && fetchFollowing(form);
awaitReturn(onReturn);
watchSwitch(document.getElementById("shortcuts"));
