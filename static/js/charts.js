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

import { servedRows } from "./tables.js";

const LYING = new Set(["bars", "points"]);
const ROW = 30; // pixels for a row of one lying bar
const BAR = 16; // pixels for each further one
const SECOND_LINE = 10; // pixels for a name of two lines
const LANE = 13; // pixels between the points of a row
const FRAME = 40; // pixels for the axis of lying bars
const STANDING = 260; // pixels for everything else but the legend
const LINE = 24; // pixels for a line of the legend
const LETTER = 8; // pixels, about
const COLOURS = 8;
const DASHES = { dashed: [8, 5], dotted: [2, 4] };
// pieces of the lines, dashed as they are
const LINES_IN_LEGEND = {
  usePointStyle: true,
  pointStyle: "line",
  pointStyleWidth: 34,
  generateLabels: (chart) =>
    Chart.defaults.plugins.legend.labels.generateLabels(chart).map((label) => ({
      ...label,
      lineDash: chart.data.datasets[label.datasetIndex].borderDash,
    })),
};
const language = document.documentElement.lang || "en";

const number = (text) => (text === undefined || text === "" ? null : Number(text));

function readTable(table, { series: chosen, names: naming = 0 }) {
  const wanted = chosen?.split(" ").map((place) => Number(place) - 1);
  const heads = [...table.tHead.rows[0].cells].slice(1);
  const rows = servedRows(table).filter((row) => !("undrawn" in row.dataset));
  const series = heads
    .map((head, place) => ({ head, place }))
    .filter(({ head, place }) => wanted?.includes(place) ?? !("undrawn" in head.dataset))
    .map(({ head, place }) => ({
      name: head.textContent.trim(),
      colour: head.dataset.colour,
      line: head.dataset.line,
      cells: rows.map((row) => readCell(row.cells[place + 1])),
    }));
  const namers = rows.map((row) => row.cells[naming]);
  const names = namers.map((cell) => cell.textContent.trim().replace(/\s+/g, " "));
  return { names, series, places: namers.map((cell) => number(cell.dataset.x)) };
}

function readCell(cell) {
  const { value, low, high } = cell?.dataset ?? {};
  return {
    value: number(value),
    low: number(low),
    high: number(high),
    text: cell?.textContent.trim().replace(/\s+/g, " ") ?? "",
  };
}

// light-dark() in a variable is only resolved where the variable colours something.
function colourOf(figure, name) {
  const probe = document.createElement("i");
  probe.style.color = `var(--${name})`;
  figure.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const seriesColour = (figure, series, place) => {
  const chosen = series.colour ?? String((place % COLOURS) + 1);
  return colourOf(figure, /^\d+$/.test(chosen) ? `series-${chosen}` : chosen);
};

const faded = (colour) => colour.replace(/^rgb\((.*)\)$/, "rgba($1, 0.18)");

function formatOf(unit) {
  const options = {
    percent: { style: "percent", maximumFractionDigits: 1 },
    count: { maximumFractionDigits: 0 },
  };
  const format = new Intl.NumberFormat(language, options[unit] ?? { maximumSignificantDigits: 4 });
  return (value) => (unit === "count" && !Number.isInteger(value) ? "" : format.format(value));
}

// Days and periods are called what the table calls them, whatever the zone of the browser.
function formatOfPlaces(kind, { names, places }) {
  return kind === "time" ? (value) => names[places.indexOf(value)] : formatOf("number");
}

// As many places as have room for their names beside each other.
function placesApart({ width, min, max }, { names, places }) {
  const letters = Math.max(...names.map((name) => name.length)) + 1;
  const apart = (letters * LETTER * (max - min)) / width;
  const kept = [];
  for (const value of places) {
    if (!kept.length || value - kept.at(-1).value >= apart) kept.push({ value });
  }
  return kept;
}

// A name that would take more than a part of the chart goes on in a second line.
function linesOf(name, width) {
  const room = (width * 0.45) / LETTER;
  if (name.length <= room || !name.includes(" ")) return [name];
  const gap = Math.max(name.lastIndexOf(" ", room), name.indexOf(" "));
  return [name.slice(0, gap), name.slice(gap + 1)];
}

// The interval of every point: a band around a whole line, a whisker elsewhere.
const intervals = {
  id: "intervals",
  beforeDatasetsDraw(chart) {
    chart.data.datasets.forEach((dataset, index) => {
      if (!chart.isDatasetVisible(index) || dataset.borderDash?.length) return;
      const marks = chart.getDatasetMeta(index).data;
      const known = dataset.cells
        .map((cell, place) => ({ ...cell, mark: marks[place] }))
        .filter(({ low, high, mark }) => low !== null && high !== null && mark);
      if (chart.options.isLine) drawBand(chart, dataset, known);
      else drawWhiskers(chart, dataset, known);
    });
  },
};

// Points of one row lie below each other, so that their intervals can be told apart.
const lanes = {
  id: "lanes",
  afterDatasetsUpdate(chart) {
    const { datasets } = chart.data;
    if (!chart.options.hasLanes) return;
    datasets.forEach((_, index) => {
      const away = (index - (datasets.length - 1) / 2) * LANE;
      for (const mark of chart.getDatasetMeta(index).data) mark.y += away;
    });
  },
};

function drawBand({ ctx, scales }, { borderColor }, known) {
  if (!known.length) return;
  ctx.save();
  ctx.fillStyle = faded(borderColor);
  ctx.strokeStyle = borderColor;
  ctx.beginPath();
  for (const { mark, high } of known) ctx.lineTo(mark.x, scales.y.getPixelForValue(high));
  for (const { mark, low } of known.toReversed())
    ctx.lineTo(mark.x, scales.y.getPixelForValue(low));
  ctx.closePath();
  ctx.fill();
  ctx.lineWidth = 1;
  for (const { mark, low, high } of known) {
    ctx.beginPath();
    ctx.moveTo(mark.x, scales.y.getPixelForValue(low));
    ctx.lineTo(mark.x, scales.y.getPixelForValue(high));
    ctx.stroke();
  }
  ctx.restore();
}

function drawWhiskers({ ctx, scales, options }, { ink }, known) {
  const values = options.indexAxis === "y" ? scales.x : scales.y;
  ctx.save();
  ctx.strokeStyle = ink;
  ctx.lineWidth = 1.5;
  for (const { mark, low, high } of known) {
    const [from, to] = [values.getPixelForValue(low), values.getPixelForValue(high)];
    ctx.beginPath();
    if (options.indexAxis === "y") {
      ctx.moveTo(from, mark.y);
      ctx.lineTo(to, mark.y);
    } else {
      ctx.moveTo(mark.x, from);
      ctx.lineTo(mark.x, to);
    }
    ctx.stroke();
  }
  ctx.restore();
}

function datasetOf(figure, kind, ink, series, place, places) {
  const colour = seriesColour(figure, series, place);
  const values = series.cells.map(({ value }) => value);
  const shared = { label: series.name, cells: series.cells, ink, borderColor: colour };
  if (kind === "line") {
    return {
      ...shared,
      data: places ? values.map((y, index) => ({ x: places[index], y })) : values,
      backgroundColor: colour,
      borderDash: DASHES[series.line] ?? [],
      borderWidth: 2,
      pointRadius: series.line ? 0 : 4,
      clip: 6, // a mark on the edge is drawn whole
      spanGaps: true,
    };
  }
  if (kind === "points") {
    return { ...shared, data: values, type: "line", showLine: false, backgroundColor: colour, pointRadius: 5 };
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

function optionsOf(figure, kind, table) {
  const { unit, min, max, x, xTitle, yTitle } = figure.dataset;
  const isLying = LYING.has(kind);
  const isPlaced = kind === "line" && x && x !== "category";
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
    ...axis(isLying ? xTitle : yTitle, { callback: format }),
    min: number(min) ?? undefined,
    max: number(max) ?? undefined,
    ...roomForIntervals(table.series),
    beginAtZero: kind === "bars" || kind === "columns",
  };
  const names = axis(isLying ? yTitle : xTitle, { color: isLying ? ink : soft, autoSkip: !isLying });
  if (isPlaced) {
    names.type = x === "log" ? "logarithmic" : "linear";
    names.ticks.callback = formatOfPlaces(x, table);
    names.ticks.maxRotation = 0;
    // the places themselves are the ticks: powers of ten, or of ten seconds, say little about them
    if (x === "time") {
      names.ticks.autoSkip = false;
      names.afterBuildTicks = (scale) => (scale.ticks = placesApart(scale, table));
    } else if (x === "number" && table.places.every(Number.isInteger)) {
      names.ticks.precision = 0;
    } else if (x === "log") {
      names.afterBuildTicks = (scale) => (scale.ticks = table.places.map((value) => ({ value })));
    }
  } else {
    names.type = "category";
    names.grid = { display: false };
    // the widest name is measured a little too narrow
    if (isLying) {
      names.afterFit = (scale) => (scale.width += 8);
      names.ticks.callback = function (place) {
        return linesOf(table.names[place], this.chart.width);
      };
    }
  }
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    isLine: kind === "line",
    hasLanes: kind === "points",
    indexAxis: isLying ? "y" : "x",
    interaction: { mode: "nearest", intersect: false, axis: isLying ? "y" : "x" },
    scales: isLying ? { x: values, y: names } : { x: names, y: values },
    plugins: {
      legend: {
        display: table.series.length > 1,
        position: "bottom",
        labels: {
          ...{ color: ink, font, boxWidth: 14, boxHeight: 14 },
          ...(kind === "line" && LINES_IN_LEGEND),
        },
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
  }
  return frame;
}

function draw(figure) {
  const table = readTable(document.getElementById(figure.dataset.table), figure.dataset);
  const kind = figure.dataset.chart;
  const drawn = table.series.some(({ cells }) => cells.some(({ value }) => value !== null));
  figure.hidden = !drawn;
  if (!drawn) return;
  const frame = frameOf(figure);
  const further = "stacked" in figure.dataset ? 0 : table.series.length - 1;
  const isTall = table.names.some((name) => linesOf(name, frame.clientWidth).length > 1);
  const row = ROW + isTall * SECOND_LINE + further * (kind === "points" ? LANE : BAR);
  const body = LYING.has(kind) ? table.names.length * row + FRAME : STANDING;
  frame.style.height = `${body + legendOf(table.series, frame.clientWidth)}px`;
  Chart.getChart(frame.querySelector("canvas") ?? "")?.destroy();
  const canvas = document.createElement("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", figure.dataset.title);
  frame.replaceChildren(canvas);
  const ink = colourOf(figure, "ink");
  const isPlaced = kind === "line" && figure.dataset.x && figure.dataset.x !== "category";
  new Chart(canvas, {
    type: LYING.has(kind) || kind === "columns" ? "bar" : "line",
    data: {
      labels: isPlaced ? undefined : table.names,
      datasets: table.series.map((series, place) =>
        datasetOf(figure, kind, ink, series, place, isPlaced ? table.places : null),
      ),
    },
    options: optionsOf(figure, kind, table),
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
new MutationObserver(() => drawAll()).observe(document.documentElement, {
  attributeFilter: ["data-theme"],
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawAll());
