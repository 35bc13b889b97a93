// Sending a rating, and what the server said to it.

import { partsOf } from "./parts.js";
import { post } from "./session.js";

const PATIENCE = 20_000;

/** Post a filled form. Gives the parts of the answer and the page's address from now on, or
    another page to go to, or the trouble. It arrives even if the page is left meanwhile. */
export async function send(form, fields) {
  // `form.action` is the button of that name
  const { answer, text, trouble } = await post(form.getAttribute("action"), fields, {
    headers: { "HX-Request": "true" },
    signal: AbortSignal.timeout(PATIENCE),
    keepalive: true,
  });
  if (trouble) return { trouble };
  return {
    parts: partsOf(text),
    isStored: answer.ok,
    address: answer.headers.get("HX-Replace-Url"),
    elsewhere: answer.headers.get("HX-Redirect"),
  };
}
