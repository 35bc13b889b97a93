// What a chart shows, read from the table that it is drawn from.

import { servedRows } from "./tables.js";

export const number = (text) => (text === undefined || text === "" ? null : Number(text));

// Lying charts follow the order in which somebody put the table; what stands keeps that of its axis.
export function readTable(table, { series: chosen, names: naming = 0 }, isLying) {
  const wanted = chosen?.split(" ").map((place) => Number(place) - 1);
  const heads = [...table.tHead.rows[0].cells].slice(1);
  const all = isLying ? [...table.tBodies[0].rows] : servedRows(table);
  const rows = all.filter((row) => !("undrawn" in row.dataset));
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
  const names = namers.map(({ dataset, textContent }) => dataset.name ?? textContent.trim());
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
