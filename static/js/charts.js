// Charts drawn from the tables beside them: what a chart shows is what its table says.
//
// <figure data-chart="bars" data-table="ID" data-title="…"> draws the table with that id. Its first
// column names the rows, every other column is a series; a cell's number is in data-value, its
// interval in data-low and data-high, and a cell without data-value is left out. More on the figure:
//   data-chart   bars (lying), columns (standing), points (lying, with intervals), line
//   data-unit    percent, count (whole numbers) or number
//   data-min, data-max   the ends of the axis of values
//   data-x       of a line: category, number, log or time; the number is in data-x of the cell that names the row
//   data-x-title, data-y-title   what the axes mean
//   data-series  the columns to draw, counted from 1 and separated by spaces, where not all are
//   data-names   the column that names the rows, counted from 0, where it is not the first
//   data-stacked   bars and columns on top of each other
// On a column's th: data-colour="good", "bad" or a number picks the colour, data-line="dashed",
// "dotted" or "whole" draws a line so and without marks. <tr data-undrawn> and <th data-undrawn> stay out.

//
// A th that names a row may have a shorter name in data-name.

import { colourOf } from "./chart_colours.js";
import { readByKeys } from "./chart_keys.js";
import { LANE, intervals, lanes } from "./chart_marks.js";
import { datasetOf, isLying, isPlaced, linesOf, optionsOf } from "./chart_options.js";
import { readTable } from "./chart_table.js";

const ROW = 30; // pixels for a row of one lying bar
const BAR = 16; // pixels for each further one
const NAME = 19; // pixels for a line of a name beside a lying bar
const FRAME = 40; // pixels for the axis of lying bars
const STANDING = 260; // pixels for everything else but the legend
const LINE = 24; // pixels for a line of the legend
const LETTER = 8; // pixels, about

// How high the legend will be: on a phone it may take several lines.
function legendOf(series, width) {
  if (series.length < 2) return 0;
  const letters = series.reduce((sum, { name }) => sum + name.length + 5, 0);
  return Math.ceil((letters * LETTER) / width) * LINE;
}

function frameOf(figure) {
  let frame = figure.querySelector(":scope > .chart-frame");
  if (!frame) {
    frame = document.createElement("div");
    frame.className = "chart-frame";
    figure.prepend(frame);
    readByKeys(figure, frame);
  }
  return frame;
}

function heightOf(figure, { names, series }, width) {
  const kind = figure.dataset.chart;
  const further = "stacked" in figure.dataset ? 0 : series.length - 1;
  const lines = Math.max(...names.map((name) => linesOf(name, { width }).length));
  const row = Math.max(ROW + further * (kind === "points" ? LANE : BAR), lines * NAME);
  const title = figure.dataset.xTitle && isLying(kind) ? LINE : 0;
  const body = isLying(kind) ? names.length * row + FRAME + title : STANDING;
  return body + legendOf(series, width);
}

function draw(figure) {
  const kind = figure.dataset.chart;
  const source = document.getElementById(figure.dataset.table);
  const table = readTable(source, figure.dataset, isLying(kind));
  const drawn = table.series.some(({ cells }) => cells.some(({ value }) => value !== null));
  figure.hidden = !drawn;
  if (!drawn) return;
  const frame = frameOf(figure);
  frame.style.height = `${heightOf(figure, table, frame.clientWidth)}px`;
  Chart.getChart(frame.querySelector("canvas") ?? "")?.destroy();
  const canvas = document.createElement("canvas");
  canvas.setAttribute("aria-hidden", "true"); // its frame has the title, and says the values
  frame.replaceChildren(canvas);
  const ink = colourOf(figure, "ink");
  const places = isPlaced(kind, figure.dataset) ? table.places : null;
  new Chart(canvas, {
    type: isLying(kind) || kind === "columns" ? "bar" : "line",
    data: {
      labels: places ? undefined : table.names,
      datasets: table.series.map((series, place) =>
        datasetOf(figure, kind, ink, series, place, places),
      ),
    },
    options: { ...optionsOf(figure, kind, table), rowNames: table.names },
    plugins: [lanes, intervals],
  });
}

function drawAll(root = document) {
  for (const figure of root.querySelectorAll("figure[data-chart]")) draw(figure);
}

drawAll();
// What is replaced must not be drawn any more: it would measure what is gone.
document.addEventListener("htmx:beforeSwap", ({ target }) => {
  for (const canvas of target.querySelectorAll("canvas")) Chart.getChart(canvas)?.destroy();
});
document.addEventListener("htmx:afterSettle", ({ target }) => drawAll(target));
document.addEventListener("sorted", ({ target }) => {
  for (const figure of document.querySelectorAll(`figure[data-table="${target.id}"]`))
    if (isLying(figure.dataset.chart)) draw(figure);
});
new MutationObserver(() => drawAll()).observe(document.documentElement, {
  attributeFilter: ["data-theme"],
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawAll());
