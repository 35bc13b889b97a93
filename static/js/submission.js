// Sending a rating, and what the server said to it.

import { csrfToken } from "./csrf.js";
import { partsOf } from "./parts.js";

const PATIENCE = 20_000;
// answers that are to be shown: the next item, or the form with what is wrong
const SHOWN = [200, 409, 422];

/** Post a filled form. Gives the parts of the answer and the page's address from now on, or
    another page to go to, or the trouble in words. It arrives even if the page is left meanwhile. */
export async function send(form, fields) {
  try {
    // `form.action` is the button of that name
    const answer = await fetch(form.getAttribute("action"), {
      method: "POST",
      body: fields,
      headers: { "X-CSRFToken": csrfToken(), "HX-Request": "true" },
      signal: AbortSignal.timeout(PATIENCE),
      keepalive: true,
    });
    if (answer.status === 401) return { trouble: form.dataset.signedOut };
    if (!SHOWN.includes(answer.status)) return { trouble: form.dataset.refused };
    return {
      parts: partsOf(await answer.text()),
      isStored: answer.ok,
      address: answer.headers.get("HX-Replace-Url"),
      elsewhere: answer.headers.get("HX-Redirect"),
    };
  } catch {
    return { trouble: form.dataset.failed };
  }
}
