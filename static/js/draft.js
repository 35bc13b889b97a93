// The draft of a form on the server: saved soon after every change, again and again until it is.

import { post } from "./session.js";
import { lookAgain, showTrouble } from "./troubles.js";

const PAUSE = 400;
const RETRY = [2000, 5000, 10_000, 30_000];

/** Watch a rating form; returns what tells it to stop, to go on, or to end with the form.
    `onReturn` is called when it turns out that its person, who was signed out, is back. */
export function keepDraft(form, onReturn) {
  let timer = 0;
  let failures = 0;
  let isChanged = false;
  let isStopped = false;
  let isFailing = false;
  let running = null;
  const life = new AbortController();

  const say = (text, isTrouble = false) => {
    const status = form.querySelector(".saved");
    if (status.textContent !== text) status.textContent = text;
    status.classList.toggle("trouble-saving", isTrouble);
  };

  const later = (delay) => {
    clearTimeout(timer);
    timer = setTimeout(save, delay);
  };

  async function save() {
    clearTimeout(timer);
    if (!isChanged || isStopped || !form.isConnected) return;
    isChanged = false;
    running?.abort();
    running = new AbortController();
    let trouble;
    try {
      trouble = await send(form, { signal: running.signal });
    } catch {
      return; // a newer draft is on its way
    }
    isFailing = Boolean(trouble);
    if (trouble) return fail(trouble);
    failures = 0;
    say(form.dataset.saved);
    lookAgain(onReturn);
  }

  function fail(trouble) {
    isChanged = true;
    const again = { unreached: form.dataset.offline, failing: form.dataset.failing }[trouble];
    say(again ?? form.dataset.unsaved, true);
    if (again) later(RETRY[Math.min(failures++, RETRY.length - 1)]);
    else showTrouble(form, trouble);
  }

  const change = () => {
    isChanged = true;
    if (!isStopped) later(PAUSE);
  };
  // fields that belong to the form may stand outside it
  const onInput = (event) => event.target.form === form && change();
  document.addEventListener("input", onInput, life);
  addEventListener("online", save, life);
  const leave = () => {
    if (isChanged && !isStopped && form.isConnected) send(form, { keepalive: true });
  };
  addEventListener("pagehide", leave, life);
  // a change that cannot be saved is not lost without a question
  const ask = (event) => isChanged && isFailing && !isStopped && event.preventDefault();
  addEventListener("beforeunload", ask, life);

  return {
    change,
    save,
    stop() {
      isStopped = true;
      clearTimeout(timer);
      running?.abort();
    },
    end() {
      this.stop();
      life.abort();
    },
    goOn() {
      isStopped = false;
      change();
    },
  };
}

/** The trouble with it, if there is one. */
async function send(form, options) {
  const { answer, trouble } = await post(form.dataset.draft, new FormData(form), options);
  return answer?.status === 409 ? "gone" : trouble;
}
