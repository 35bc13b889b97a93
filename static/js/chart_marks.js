// What is drawn beside the marks of Chart.js: intervals, and lanes for several points of a row.

import { faded } from "./chart_colours.js";

export const LANE = 13; // pixels between the points of a row

// The interval of every point: a band around a whole line, a whisker elsewhere.
export const intervals = {
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
export const lanes = {
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
