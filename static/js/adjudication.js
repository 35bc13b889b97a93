// Adjudication: the keys of the rating page; a decision is complete once it has its reason.

import { startJudging, togglePanel } from "./judging.js";

const form = document.getElementById("adjudication");
const reason = form?.elements.reason;
const primary = () => form.querySelector("button.primary");

startJudging(form, {
  commands: {
    c: () => reason?.focus(),
    s: () => togglePanel(document.querySelector("details.skip"), "button"),
  },
  goOnWithout: () => document.querySelector("[data-continue]")?.click(),
  finish: () => {
    if (reason && !reason.value.trim()) reason.focus();
    else primary().click();
  },
});

reason?.addEventListener("keydown", (event) => {
  if (event.key === "Escape") form.querySelector("fieldset.asked").focus();
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) primary().click();
});
