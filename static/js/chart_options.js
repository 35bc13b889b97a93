// The settings of Chart.js for a figure and its table.

import { colourOf, seriesColour } from "./chart_colours.js";
import { number } from "./chart_table.js";

const LYING = new Set(["bars", "points"]);
const LETTER = 8; // pixels, about
const NAMES = 0.42; // of the width, at most, for names beside lying bars
const GAP = 2; // letters between names below an axis
const MARK = 6; // pixels by which a mark may leave the field: one on the edge is drawn whole
const DASHES = { dashed: [8, 5], dotted: [2, 4] };
const SHAPES = ["circle", "rectRot", "triangle", "rect"];
const language = document.documentElement.lang || "en";

export const isLying = (kind) => LYING.has(kind);
export const isPlaced = (kind, { x }) => kind === "line" && Boolean(x) && x !== "category";

function formatOf(unit) {
  const options = {
    percent: { maximumFractionDigits: 1 },
    count: { maximumFractionDigits: 0 },
  };
  const format = new Intl.NumberFormat(language, options[unit] ?? { maximumSignificantDigits: 4 });
  if (unit === "percent") return (value) => `${format.format(100 * value)} %`; // as in the tables
  return (value) => (unit === "count" && !Number.isInteger(value) ? "" : format.format(value));
}

// Days and periods are called what the table calls them, whatever the zone of the browser.
function formatOfPlaces(kind, { names, places }) {
  return kind === "time" ? (value) => names[places.indexOf(value)] : formatOf("number");
}

// As many places as have room for their names beside each other.
function placesApart({ chart, min, max }, { names, places }) {
  const letters = GAP + Math.max(...names.map((name) => name.length));
  const apart = (letters * LETTER * (max - min)) / chart.width;
  const kept = [];
  for (const value of places) {
    if (!kept.length || value - kept.at(-1).value >= apart) kept.push({ value });
  }
  return kept;
}

// A name that is too long for its side of a narrow chart goes on in a line below.
export function linesOf(name, { width }) {
  const most = (width * NAMES) / LETTER;
  const lines = [""];
  for (const word of name.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length <= most || !lines.at(-1)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

export function datasetOf(figure, kind, ink, series, place, places) {
  const colour = seriesColour(figure, series, place);
  const values = series.cells.map(({ value }) => value);
  const shape = SHAPES[place % SHAPES.length];
  const shared = { label: series.name, cells: series.cells, ink, borderColor: colour };
  if (kind === "line") {
    return {
      ...shared,
      data: places ? values.map((y, index) => ({ x: places[index], y })) : values,
      backgroundColor: colour,
      borderDash: DASHES[series.line] ?? [],
      borderWidth: 2,
      pointRadius: series.line ? 0 : 4,
      pointStyle: series.line ? "line" : shape,
      clip: MARK,
      spanGaps: true,
    };
  }
  if (kind === "points") {
    return {
      ...shared,
      data: values,
      type: "line",
      showLine: false,
      backgroundColor: colour,
      pointRadius: 5,
      pointStyle: shape,
      clip: MARK,
    };
  }
  const thickness = kind === "bars" ? { maxBarThickness: 28 } : { categoryPercentage: 0.92, barPercentage: 1 };
  return { ...shared, data: values, backgroundColor: colour, borderWidth: 0, ...thickness };
}

// The axis of values reaches as far as the intervals do.
function roomForIntervals(series) {
  const cells = series.flatMap((each) => each.cells).filter(({ low, high }) => low !== null && high !== null);
  if (!cells.length) return {};
  return {
    suggestedMin: Math.min(...cells.map(({ low }) => low)),
    suggestedMax: Math.max(...cells.map(({ high }) => high)),
  };
}

// In the legend a series has the mark it has in the chart.
const legendMarks = (kind) =>
  kind === "bars" || kind === "columns" ? { boxWidth: 14 } : { usePointStyle: true, pointStyleWidth: kind === "line" ? 20 : undefined };

export function optionsOf(figure, kind, table) {
  const { unit, min, max, x, xTitle, yTitle } = figure.dataset;
  const lies = isLying(kind);
  const [ink, soft, line] = ["ink", "soft", "line"].map((name) => colourOf(figure, name));
  const font = { family: getComputedStyle(figure).fontFamily, size: 13 };
  const stacked = "stacked" in figure.dataset;
  const axis = (title, more) => ({
    stacked,
    title: { display: Boolean(title), text: title, color: soft, font },
    ticks: { color: soft, font, ...more },
    grid: { color: line },
    border: { color: line },
  });
  const format = formatOf(unit);
  const values = {
    ...axis(lies ? xTitle : yTitle, { callback: format }),
    min: number(min) ?? undefined,
    max: number(max) ?? undefined,
    ...roomForIntervals(table.series),
    beginAtZero: kind === "bars" || kind === "columns",
  };
  const names = axis(lies ? yTitle : xTitle, { color: lies ? ink : soft, autoSkip: !lies });
  if (isPlaced(kind, figure.dataset)) {
    names.type = x === "log" ? "logarithmic" : "linear";
    names.ticks.callback = formatOfPlaces(x, table);
    names.ticks.maxRotation = 0;
    // the places themselves are the ticks: powers of ten, or of ten seconds, say little about them
    if (x === "time") {
      names.ticks.autoSkip = false;
      names.afterBuildTicks = (scale) => (scale.ticks = placesApart(scale, table));
    } else if (x === "log") {
      names.afterBuildTicks = (scale) => (scale.ticks = table.places.map((value) => ({ value })));
    }
  } else {
    names.type = "category";
    names.grid = { display: false };
    if (lies) {
      // the widest name is measured a little too narrow
      names.afterFit = (scale) => (scale.width += 8);
      names.ticks.callback = function (place) {
        return linesOf(this.getLabelForValue(place), this.chart);
      };
    }
  }
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    isLine: kind === "line",
    hasLanes: kind === "points",
    indexAxis: lies ? "y" : "x",
    interaction: { mode: "nearest", intersect: false, axis: lies ? "y" : "x" },
    scales: lies ? { x: values, y: names } : { x: names, y: values },
    plugins: {
      legend: {
        display: table.series.length > 1,
        position: "bottom",
        labels: { color: ink, font, boxHeight: 10, ...legendMarks(kind) },
      },
      tooltip: {
        callbacks: {
          title: ([first]) => (first ? table.names[first.dataIndex] : ""),
          label: ({ dataset, dataIndex }) => `${dataset.label}: ${dataset.cells[dataIndex].text}`,
        },
      },
    },
  };
}
