// Whose page this is, who is signed in now, and what is posted for the former.

import { setToken } from "./csrf.js";

const { user, signedIn } = document.body.dataset;

/** What keeps this page's person from acting: "signed-out", "somebody-else", "failing"; "" if nothing
    does. Asking brings a token that was lost as well. */
export async function obstacle() {
  const answer = await fetch(signedIn, { headers: { "X-Requested-With": "fetch" } });
  if (answer.status === 401) return "signed-out";
  if (!answer.ok) return "failing";
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return page.body.dataset.user === user ? "" : "somebody-else";
}

/** The trouble that an answer of this status means, by its name in rating/troubles.html; "" for an
    answer to be shown: 409 and 422 come with words of their own. */
export async function troubleOf(status) {
  if (status < 400 || status === 409 || status === 422) return "";
  if (status === 401) return "signed-out";
  if (status === 429 || status >= 500) return "failing";
  // to whoever else is signed in, what this page is about is not there
  if (status === 403 || status === 404) return (await obstacle()) || (status === 404 ? "gone" : "refused");
  return "refused";
}

/** Post fields; gives the answer with its text, or the trouble. Raises AbortError if so asked. */
export async function post(address, fields, { headers, ...options } = {}) {
  const send = async () => {
    setToken(fields);
    const answer = await fetch(address, {
      method: "POST",
      body: fields,
      headers: { "X-Requested-With": "fetch", ...headers },
      ...options,
    });
    return { answer, text: await answer.text(), trouble: await troubleOf(answer.status) };
  };
  try {
    const first = await send();
    // a lost token came back with the question who is signed in
    return first.answer.status === 403 && first.trouble === "refused" ? await send() : first;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return { trouble: "unreached" };
  }
}
