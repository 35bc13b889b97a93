// Calibration: the keys of the rating page, on a form that is answered once and then judged.

import { startJudging } from "./judging.js";

startJudging(document.getElementById("calibration"), {
  goOnWithout: () => document.querySelector("[data-continue]")?.click(),
});
