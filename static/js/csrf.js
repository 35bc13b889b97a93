// The token of what is sent: the cookie's as it is now. Signing in again in another tab changes it,
// and the field that a form came with keeps the old one, which the server reads before the header.

const FIELD = "csrfmiddlewaretoken";

export const csrfToken = () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";

/** Put the token of this moment into fields that are about to be sent. */
export function setToken(fields) {
  fields.set(FIELD, csrfToken());
}

/** Bring the forms of the page up to date, for the browser to send them. */
export function renewForms() {
  for (const field of document.getElementsByName(FIELD)) field.value = csrfToken();
}
