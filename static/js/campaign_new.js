// A new campaign: its short name follows the title, and the form of the chosen protocol can be tried.

import { startJudging } from "./judging.js";

const title = document.getElementById("id_title");
const slug = document.getElementById("id_slug");

// as tasks/home/queries/personal.py makes it
const slugOf = (text) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9\s_-]/g, "")
    .replace(/[\s_-]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 56)
    .replace(/-$/, "");

let isOwn = slug.value !== "" && slug.value !== slugOf(title.value);

title.addEventListener("input", () => {
  if (!isOwn) slug.value = slugOf(title.value);
});
slug.addEventListener("input", () => {
  isOwn = slug.value !== "";
});
// one that nobody has edited is left to the server, which knows which are taken
slug.form.addEventListener("formdata", ({ formData }) => {
  if (!isOwn) formData.set("slug", "");
});

let current;
function startTrial() {
  current?.abort();
  current = new AbortController();
  startJudging(document.getElementById("trial-form"), { signal: current.signal });
}
startTrial();
document.addEventListener("htmx:afterSwap", startTrial);
