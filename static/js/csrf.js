// The token as it is now: signing in again in another tab changes it.

export function csrfToken() {
  const match = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
  return match ? match[1] : (document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "");
}
