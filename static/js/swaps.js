// Skip and flag go by htmx: the token they are sent with, and what is said where one failed.

import { setToken } from "./csrf.js";
import { troubleOf } from "./session.js";
import { clearTrouble, showTrouble } from "./troubles.js";

document.addEventListener("htmx:configRequest", ({ detail }) => setToken(detail.formData));
document.addEventListener("htmx:beforeRequest", ({ detail }) => clearTrouble(detail.elt));

for (const name of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(name, async ({ detail: { elt, xhr, requestConfig } }) => {
    const trouble = xhr.status ? await troubleOf(xhr.status).catch(() => "unreached") : "unreached";
    // a lost token has come back with the question who is signed in: once more, by the same button
    if (trouble === "refused" && xhr.status === 403 && !elt.dataset.again) {
      elt.dataset.again = "yes";
      return elt.requestSubmit(requestConfig.triggeringEvent.submitter);
    }
    delete elt.dataset.again;
    showTrouble(elt, trouble);
  });
}
