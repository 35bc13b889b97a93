// Why an act failed and what to do, beside the act; the words are in a template of the page.

import { obstacle } from "./session.js";

const OF_SESSIONS = ".trouble [data-trouble=signed-out], .trouble [data-trouble=somebody-else]";

/** Say it in a form. What is said there already is not read out again. */
export function showTrouble(form, name) {
  const area = form.querySelector(".trouble") ?? addArea(form);
  if (area.querySelector(`[data-trouble="${name}"]`)) return;
  const words = document.getElementById("troubles").content.querySelector(`[data-trouble="${name}"]`);
  area.replaceChildren(words.cloneNode(true));
}

export function clearTrouble(form) {
  form.querySelector(".trouble")?.replaceChildren();
}

function addArea(form) {
  const area = document.createElement("div");
  area.className = "trouble";
  area.setAttribute("role", "alert");
  form.prepend(area);
  return area;
}

/** Where the page says that its person is not signed in: look whether that still holds. */
export async function lookAgain(onReturn) {
  if (!document.querySelector(OF_SESSIONS)) return;
  const name = await obstacle().catch(() => "unreached");
  if (name === "unreached" || name === "failing") return;
  for (const words of document.querySelectorAll(OF_SESSIONS)) {
    showTrouble(words.closest("form"), name || "back");
  }
  if (!name) onReturn();
}

/** Look again when the tab is shown, and when another tab has signed in. */
export function awaitReturn(onReturn) {
  const look = () => lookAgain(onReturn);
  new BroadcastChannel("signed-in").addEventListener("message", look);
  addEventListener("focus", look);
  document.addEventListener("visibilitychange", look);
}
