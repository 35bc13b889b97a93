// Tables of figures are sorted by their heads: <table data-sortable>, with an id.
//
// A press on a head puts its rows in order, a second the other way round, a third as the page had
// them. A number is in data-value of the cell, a time in its <time datetime>; what has neither is
// text. Numbers and times begin with the largest, text with A; rows without any come last, and
// equal rows stay as the page had them. <th data-unsorted> is no button, and rows with data-undrawn
// (as totals) stay at the end.

const language = document.documentElement.lang || "en";
const collator = new Intl.Collator(language, { numeric: true, sensitivity: "base" });
const chosen = new Map(); // by a table's id: the place of a head, and the direction
const served = new WeakMap(); // a table's rows as the page had them

const headsOf = (table) => [...table.tHead.rows[table.tHead.rows.length - 1].cells];

// The rows of a table as the page had them, whatever order they are in now.
export function servedRows(table) {
  return served.get(table) ?? [...table.tBodies[0].rows];
}

function readCell(cell) {
  const { value } = cell?.dataset ?? {};
  if (value) return { number: Number(value) };
  const time = cell?.querySelector("time[datetime]")?.dateTime;
  if (time) return { number: Date.parse(time) };
  return { text: cell?.textContent.trim().replace(/\s+/g, " ") ?? "" };
}

// What the cells of a column are compared by; null where a column of numbers has none.
function keysOf(rows, place) {
  const cells = rows.map((row) => readCell(row.cells[place]));
  const areNumbers = cells.some(({ number }) => number !== undefined);
  if (areNumbers) return { areNumbers, keys: cells.map(({ number }) => number ?? null) };
  return { areNumbers, keys: cells.map(({ text }) => text || null) };
}

function inOrder(rows, place, direction) {
  const { areNumbers, keys } = keysOf(rows, place);
  const compare = areNumbers ? (one, other) => one - other : collator.compare;
  const sign = direction === "ascending" ? 1 : -1;
  const entries = rows.map((row, index) => ({ row, index, key: keys[index] }));
  entries.sort((one, other) => {
    if (one.key === null || other.key === null)
      return (one.key === null) - (other.key === null) || one.index - other.index;
    return sign * compare(one.key, other.key) || one.index - other.index;
  });
  return entries.map(({ row }) => row);
}

function show(table, place, direction) {
  const rows = servedRows(table);
  const last = rows.filter((row) => "undrawn" in row.dataset);
  const sorted = rows.filter((row) => !last.includes(row));
  table.tBodies[0].append(...(direction ? inOrder(sorted, place, direction) : sorted), ...last);
  headsOf(table).forEach((head, index) => {
    if (direction && index === place) head.setAttribute("aria-sort", direction);
    else head.removeAttribute("aria-sort");
  });
  table.toggleAttribute("data-sorted", Boolean(direction));
  if (direction) chosen.set(table.id, { place, direction });
  else chosen.delete(table.id);
  table.dispatchEvent(new CustomEvent("sorted", { bubbles: true }));
}

function press(table, place) {
  const { areNumbers } = keysOf(servedRows(table), place);
  const directions = areNumbers ? ["descending", "ascending"] : ["ascending", "descending"];
  const now = headsOf(table)[place].getAttribute("aria-sort");
  show(table, place, directions[directions.indexOf(now) + 1]);
}

function enhance(table) {
  if (served.has(table) || table.tBodies[0].rows.length < 2) return;
  served.set(table, [...table.tBodies[0].rows]);
  headsOf(table).forEach((head, place) => {
    if ("unsorted" in head.dataset || !head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sorter";
    button.append(...head.childNodes);
    button.addEventListener("click", () => press(table, place));
    head.append(button);
  });
  const before = chosen.get(table.id);
  if (before) show(table, before.place, before.direction);
}

function enhanceAll(root = document) {
  for (const table of root.querySelectorAll("table[data-sortable]")) enhance(table);
}

enhanceAll();
// figures that are replaced by newer ones keep their order
document.addEventListener("htmx:afterSwap", () => enhanceAll());
