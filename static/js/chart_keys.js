// Charts by keyboard: one stop of Tab for each. Arrow keys go from value to value along the rows of
// its table, and across its columns; Home and End go to the first and the last. Each value is shown
// as a pointer would show it, and said.

import { isLying } from "./chart_options.js";

const places = new WeakMap(); // of a figure: the column and the row that were shown last
const words = document.getElementById("charts-script").dataset;

const chartOf = (frame) => Chart.getChart(frame.querySelector("canvas") ?? "");

// The rows in which a column has a value, or nothing for one that the legend hides.
function rowsOf(chart, column) {
  if (!chart.isDatasetVisible(column)) return [];
  const { cells } = chart.data.datasets[column];
  return cells.map((_, row) => row).filter((row) => cells[row].value !== null);
}

function startOf(chart) {
  const column = chart.data.datasets.findIndex((_, place) => rowsOf(chart, place).length);
  return column < 0 ? null : { column, row: rowsOf(chart, column)[0] };
}

// The place that a key leads to: null for a key that leads nowhere.
function placeAfter(chart, kind, { column, row }, key) {
  const [forth, back, next, previous] = isLying(kind)
    ? ["ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"]
    : ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"];
  const rows = rowsOf(chart, column);
  const columns = chart.data.datasets.map((_, place) => place).filter((place) => rowsOf(chart, place).includes(row));
  const at = columns.indexOf(column);
  if (key === forth) return { column, row: rows.find((each) => each > row) ?? row };
  if (key === back) return { column, row: rows.findLast((each) => each < row) ?? row };
  if (key === next) return { column: columns[at + 1] ?? column, row };
  if (key === previous) return { column: columns[at - 1] ?? column, row };
  if (key === "Home") return { column, row: rows[0] };
  if (key === "End") return { column, row: rows.at(-1) };
  return null;
}

function sentence(chart, { column, row }) {
  const { label, cells } = chart.data.datasets[column];
  const rows = rowsOf(chart, column);
  const place = words.place.replace("%1", rows.indexOf(row) + 1).replace("%2", rows.length);
  return `${chart.options.rowNames[row]}, ${label}: ${cells[row].text} (${place})`;
}

function show(figure, chart, place) {
  places.set(figure, place);
  const shown = [{ datasetIndex: place.column, index: place.row }];
  const { x, y } = chart.getDatasetMeta(place.column).data[place.row];
  chart.setActiveElements(shown);
  chart.tooltip.setActiveElements(shown, { x, y });
  chart.render();
  figure.querySelector(":scope > [aria-live]").textContent = sentence(chart, place);
}

function hide(chart) {
  chart.setActiveElements([]);
  chart.tooltip.setActiveElements([], { x: 0, y: 0 });
  chart.render();
}

function explanation() {
  let found = document.getElementById("chart-keys");
  if (!found) {
    found = document.createElement("p");
    found.id = "chart-keys";
    found.hidden = true; // a description may be
    found.textContent = words.keys;
    document.body.append(found);
  }
  return found.id;
}

export function readByKeys(figure, frame) {
  frame.tabIndex = 0;
  frame.setAttribute("role", "application"); // screen readers leave it the arrow keys
  frame.setAttribute("aria-roledescription", words.chart);
  frame.setAttribute("aria-label", figure.dataset.title);
  frame.setAttribute("aria-describedby", explanation());
  frame.dataset.keys = words.keys;
  const said = document.createElement("p");
  said.className = "unseen";
  said.setAttribute("aria-live", "polite");
  frame.after(said);
  frame.addEventListener("focus", () => {
    const chart = chartOf(frame);
    const known = places.get(figure);
    const isThere = known && chart && rowsOf(chart, known.column).includes(known.row);
    const place = isThere ? known : chart && startOf(chart);
    if (place && frame.matches(":focus-visible")) show(figure, chart, place);
  });
  frame.addEventListener("blur", () => {
    const chart = chartOf(frame);
    if (chart) hide(chart);
  });
  frame.addEventListener("keydown", (event) => {
    const chart = chartOf(frame);
    const now = chart && (places.get(figure) ?? startOf(chart));
    if (!now || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = placeAfter(chart, figure.dataset.chart, now, event.key);
    if (!place) return;
    event.preventDefault();
    show(figure, chart, place);
  });
}
