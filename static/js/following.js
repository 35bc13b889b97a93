// The item after the one on the desk, fetched while that one is read. The server holds it for
// five minutes; after four it is taken for gone, and the next submission asks for it anew.

import { partsOf, place } from "./parts.js";
import { post } from "./session.js";

const FRESH = 240_000;

/** Begin to fetch what follows a form. `take()` gives its desk if it is here and still held. */
export function fetchFollowing(form) {
  const life = new AbortController();
  const following = keepFollowing(null, life);
  if (form.dataset.following) {
    ask(form.dataset.following, life.signal).then((parts) => {
      if (!parts || life.signal.aborted) return;
      following.arrive(parts.querySelector("#rate"));
      place(parts);
    }, () => {}); // without it the submission brings the next item, as it does without scripts
  }
  return following;
}

/** A desk that was shown already and has been put aside again. */
export function keepFollowing(desk, life = new AbortController()) {
  let until = performance.now() + FRESH;
  return {
    arrive(found) {
      desk = found;
      until = performance.now() + FRESH;
    },
    take() {
      life.abort();
      return performance.now() < until ? desk : null;
    },
  };
}

async function ask(address, signal) {
  const { answer, text } = await post(address, new FormData(), { signal });
  return answer?.status === 200 ? partsOf(text) : null;
}
