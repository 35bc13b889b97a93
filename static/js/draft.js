// The draft of a form on the server: saved soon after every change, again and again until it is.

import { csrfToken } from "./csrf.js";

const PAUSE = 400;
const RETRY = [2000, 5000, 10_000, 30_000];

/** Watch a rating form; returns what tells it to stop, to go on, or to end with the form. */
export function keepDraft(form) {
  let timer = 0;
  let failures = 0;
  let isChanged = false;
  let isStopped = false;
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
    try {
      const answer = await send(form, running.signal);
      if (answer.status === 401) return say(form.dataset.signedOut, true);
      if (answer.status === 409) return say(form.dataset.gone, true);
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      failures = 0;
      say(form.dataset.saved);
    } catch (error) {
      if (error.name === "AbortError") return;
      isChanged = true;
      say(form.dataset.offline, true);
      later(RETRY[Math.min(failures++, RETRY.length - 1)]);
    }
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
    if (isChanged && !isStopped && form.isConnected) send(form, null, { keepalive: true });
  };
  addEventListener("pagehide", leave, life);

  return {
    change,
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

function send(form, signal, options = {}) {
  return fetch(form.dataset.draft, {
    method: "POST",
    body: new FormData(form),
    headers: { "X-CSRFToken": csrfToken(), "X-Requested-With": "fetch" },
    signal,
    ...options,
  });
}
