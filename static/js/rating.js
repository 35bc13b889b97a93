// The rating page: keyboard, questions one at a time, drafts, one submission per form.

import { startClock } from "./clock.js";
import { csrfToken } from "./csrf.js";
import { keepDraft } from "./draft.js";
import { fetchFollowing, keepFollowing } from "./following.js";
import { areShortcutsOn, isForPage, keyOf, watchSwitch } from "./keys.js";
import { choiceFor, choose, complain, confirm, goBack, refresh, reopen, unfold } from "./questions.js";
import { place } from "./parts.js";
import { toggleDialog } from "./site.js";
import { send } from "./submission.js";

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
  if (!form) return;
  unfold(form);
  clock = startClock(form.elements.seconds);
  draft = keepDraft(form);
}

const primary = () => form.querySelector("button.primary");

/** Submit, or go on to the next question. What is missing is asked for, kindly if by key. */
function goOn({ isLoud }) {
  const { isComplete, isLast } = refresh(form);
  if (isComplete && isLast) primary().click();
  else if (!confirm(form) && isLoud) complain(form);
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
  const dialog = document.querySelector("dialog[open]");
  const key = keyOf(event);
  if (event.key === "Enter" && (form || suggested) && !dialog) {
    event.preventDefault();
    return form ? goOn({ isLoud: false }) : leaveSuggestion();
  }
  if (!areShortcutsOn() || (dialog && !["g", "?"].includes(key))) return;
  const choice = form && !dialog && choiceFor(form, key);
  if (choice) {
    event.preventDefault();
    choice.checked = choice.type === "radio" || !choice.checked;
    answer(choice, true);
  } else if (isCommand(key)) {
    event.preventDefault();
    COMMANDS[key]();
  }
});

function isCommand(key) {
  if (form) return Object.hasOwn(COMMANDS, key);
  return (suggested ? ON_A_SUGGESTION : WITHOUT_AN_ITEM).includes(key);
}

/** Escape leaves a field or closes a panel; an open dialog closes by itself. */
function leave(event) {
  if (document.querySelector("dialog[open]")) return;
  const panel = event.target.closest("details[open]");
  if (panel?.matches(".skip, .flag")) panel.open = false;
  if (panel || event.target.matches("textarea, input")) form?.querySelector("fieldset.asked")?.focus();
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
  if (event.detail && !isTouched && performance.now() - cameAt < FRESH_CLICK) return;
  if (pressed.form === suggested) return leaveSuggestion();
  if (pressed.value === "submit" && refresh(form).isComplete) submit();
  else goOn({ isLoud: true });
});

// --- sending: the next item is shown at once if it is here, and the form sent comes back if the
// server did not store it ------------------------------------------------------------------------

const FRESH_CLICK = 500;
let underWay = null;
let isWaiting = false;

const trouble = (text) => {
  form.querySelector(".trouble").textContent = text;
};

/** Submit the form once the one before it is stored; asking for it twice submits it once. */
async function submit() {
  if (isWaiting || underWay?.sent === form) return;
  const asking = form;
  isWaiting = true;
  await underWay?.end;
  isWaiting = false;
  // the form before came back, or the item went to somebody else
  if (form !== asking) return;
  await whileUnderWay(form, submission());
}

async function whileUnderWay(sent, end) {
  underWay = { sent, end };
  await end;
  underWay = null;
  if (form && !following) following = fetchFollowing(form);
}

async function submission() {
  const sent = { desk, form };
  clock.tick();
  draft.stop();
  trouble("");
  const fields = new FormData(form);
  fields.set("action", "submit");
  // where the suggestion comes first, the next item waits for the rater to go on from it
  const next = "waits" in form.dataset ? null : showFollowing(fields);
  if (next) document.getElementById("stored").textContent = sent.form.dataset.saving;
  sent.form.querySelector("button.primary").disabled = true;
  const answer = await send(sent.form, fields);
  if (answer.trouble) return bringBack(sent, answer.trouble);
  if (!answer.isStored && next) following = keepFollowing(desk);
  take(answer);
}

/** Go on from the suggestion to the next item; asking for it twice goes on once. */
async function leaveSuggestion() {
  if (underWay?.sent === suggested) return;
  await whileUnderWay(suggested, leaving());
}

async function leaving() {
  const sent = { desk, form: suggested };
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
function bringBack(sent, text) {
  if (desk !== sent.desk) {
    const aside = keepFollowing(desk);
    document.getElementById("stored").textContent = "";
    putOnDesk(sent.desk);
    following = aside;
  }
  sent.form.querySelector("button.primary").disabled = false;
  sent.form.querySelector(".trouble").textContent = text;
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
  htmx.process(next);
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

// skipping goes by htmx, which swaps in the next item itself; it waits for the rating before it
document.addEventListener("htmx:confirm", async (event) => {
  if (!underWay) return;
  event.preventDefault();
  const asking = form;
  await underWay.end;
  if (form === asking) event.detail.issueRequest(true);
});
document.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers["X-CSRFToken"] = csrfToken();
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.closest(".answered")) return; // an answer that the rater has opened
  // htmx tells it once for every element that came
  if (document.getElementById("rate") === desk) return flagged();
  start();
  following = form && fetchFollowing(form);
  document.getElementById("announcement").textContent = desk.dataset.announce;
  arrive();
});

/** A flag leaves the form as it is: say that it was raised, and go on. */
function flagged() {
  document.getElementById("announcement").textContent =
    desk.querySelector("details.flag").dataset.announce;
  form.querySelector("fieldset.asked").focus();
}

start();
following = form && fetchFollowing(form);
watchSwitch(document.getElementById("shortcuts"));
