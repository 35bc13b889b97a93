// Tables of results are sorted by their heads and taken along as CSV and LaTeX.
//
// <table data-sortable>   a press on a head puts the rows in ascending order, a second in descending
//   order, a third as the page had them. A cell is compared by its number in data-value or data-x,
//   by its <time datetime>, or by its text, which is read as a number where the cell is a
//   number-cell. Cells without any come last. <th data-unsorted> is no button, and <tr data-stays>,
//   as a sum, stays at the end.
// <table data-file="NAME">   buttons below the table give it as NAME.csv and NAME.tex, in its
//   present order. CSV has numbers in full, with the ends of intervals (data-low, data-high) and n
//   (data-n) in columns of their own; LaTeX has what is shown. data-unit of a th joins its title.
// What is refreshed by htmx keeps its order, by the table's data-file or id.

const language = document.documentElement.lang || "en";
const collator = new Intl.Collator(language, { numeric: true, sensitivity: "base" });
const DIRECTIONS = [undefined, "ascending", "descending"];
const FORMATS = { CSV: ["csv", "text/csv;charset=utf-8", csvOf], LaTeX: ["tex", "text/x-tex;charset=utf-8", latexOf] };
const PARTS = ["low", "high", "n"];
const FORMULA = /^'*[=+\-@\t\r\n\0＝＋－＠]/; // as tomahto.text.spreadsheet
const NOTHING = new Set(["", "–"]);
const COMMANDS = {
  // as tomahto.charts.table_text
  "\\": "\\textbackslash{}",
  "{": "\\{",
  "}": "\\}",
  "&": "\\&",
  "%": "\\%",
  $: "\\$",
  "#": "\\#",
  _: "\\_",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  "`": "\\textasciigrave{}",
  '"': "\\symbol{34}",
  "[": "{[}",
  "]": "{]}",
  "*": "{*}",
  "–": "\\textendash{}",
  "−": "$-$",
  "±": "$\\pm$",
  "≤": "$\\leq$",
  "≥": "$\\geq$",
  "→": "$\\rightarrow$",
  Δ: "$\\Delta$",
  α: "$\\alpha$",
  ε: "$\\varepsilon$",
  κ: "$\\kappa$",
  λ: "$\\lambda$",
  ρ: "$\\rho$",
  τ: "$\\tau$",
  χ: "$\\chi$",
  "\0": "{}",
};

const asServed = new WeakMap(); // the rows of a table as the page had them
const orders = new Map(); // by the key of a table: the place of a head, and the direction
const [{ value: group }, { value: point }] = new Intl.NumberFormat(language)
  .formatToParts(1000000.5)
  .filter(({ type }, place) => type === "decimal" || place === 1);

const keyOf = (table) => table.dataset.file ?? table.id;
const headsOf = (table) => [...table.tHead.rows[0].cells];
const isOf = (kind) => (cell) => cell?.dataset[kind] !== undefined;

// The rows of a table as the page had them, whatever order they are in.
const servedRows = (table) => asServed.get(table) ?? [...table.tBodies[0].rows];

// What a cell shows, in one line; intervals and n in brackets.
function textOf(node) {
  if (!(node instanceof Element)) return node.nodeType === Node.TEXT_NODE ? node.data : "";
  if (node.matches(".unseen, .term, [popover]")) return "";
  if (node.matches("br")) return " ";
  const text = [...node.childNodes].map(textOf).join("");
  if (node.matches(".interval, .n")) return ` [${text.trim().replace(/^\((.*)\)$/s, "$1")}]`;
  return getComputedStyle(node).display === "inline" ? text : ` ${text} `;
}
const shown = (node) => (node ? textOf(node).trim().replace(/\s+/g, " ").replace(/\p{Cc}/gu, "\uFFFD") : "");

// The number that a text is in the language of the page, a share where it is in per cent.
function numberIn(text) {
  const digits = text.replaceAll(group, "").replace(point, ".").replace("−", "-").replace(/\s/g, "");
  const [, number, percent] = /^(-?\d+(?:\.\d+)?)(%?)$/.exec(digits) ?? [];
  return number === undefined ? null : Number(number) / (percent ? 100 : 1);
}

// The time of a cell that says nothing else, as programs read it.
function timeOf(cell) {
  const time = cell?.querySelector("time");
  return time && shown(time) === shown(cell) ? time.dateTime : undefined;
}

// What is compared, of one kind in a column; null of a cell that has nothing.
function comparable(cells) {
  const numbers = cells.map((cell) => {
    const value = cell?.dataset.value ?? cell?.dataset.x;
    if (value !== undefined) return Number(value);
    const time = timeOf(cell);
    if (time) return Date.parse(time);
    return cell?.matches(".number-cell") ? numberIn(shown(cell)) : null;
  });
  if (numbers.some((number) => number !== null)) return { values: numbers, compare: (one, other) => one - other };
  const texts = cells.map(shown).map((text) => (NOTHING.has(text) ? null : text));
  return { values: texts, compare: collator.compare };
}

function sort(table, place, direction) {
  const rows = servedRows(table);
  const { values, compare } = comparable(rows.map((row) => row.cells[place]));
  const sign = direction === "descending" ? -1 : 1;
  const compareRows = (one, other) => {
    const [first, second] = [values[one], values[other]];
    if (first === null || second === null) return (first === null) - (second === null);
    return sign * compare(first, second);
  };
  const order = direction ? [...rows.keys()].sort(compareRows).map((at) => rows[at]) : rows;
  table.tBodies[0].append(...order, ...rows.filter((row) => "stays" in row.dataset));
  for (const [at, head] of headsOf(table).entries()) {
    if (at === place && direction) head.setAttribute("aria-sort", direction);
    else head.removeAttribute("aria-sort");
  }
  if (direction) orders.set(keyOf(table), [place, direction]);
  else orders.delete(keyOf(table));
}

function addSorters(table) {
  if (table.tBodies[0].rows.length < 2) return;
  for (const [place, head] of headsOf(table).entries()) {
    if ("unsorted" in head.dataset || !shown(head)) continue;
    const button = buttonOf("sorter", `sort-${keyOf(table)}-${place}`, () => {
      const now = DIRECTIONS.indexOf(head.getAttribute("aria-sort") ?? undefined);
      sort(table, place, DIRECTIONS[(now + 1) % DIRECTIONS.length]);
    });
    button.append(...[...head.childNodes].filter((node) => !node.matches?.(".term, [popover]")));
    button.innerHTML = button.innerHTML.trim(); // no line break before its mark
    head.prepend(button);
  }
  const [place, direction] = orders.get(keyOf(table)) ?? [];
  if (direction && place < headsOf(table).length) sort(table, place, direction);
}

function addFiles(table) {
  const files = document.createElement("p");
  files.className = "exports";
  for (const [format, [ending, type, write]] of Object.entries(FORMATS)) {
    const button = buttonOf("", `${ending}-${table.dataset.file}`, () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([write(table)], { type }));
      link.download = `${nameOf(table)}.${ending}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href));
    });
    button.textContent = format;
    button.setAttribute("aria-label", `${format}: ${titleOf(table)}`);
    files.append(button);
  }
  const shownIn = table.closest(".scroll:not(.card)") ?? table;
  if (shownIn.parentElement.matches(".beside")) {
    // one cell of that grid
    const cell = document.createElement("div");
    shownIn.replaceWith(cell);
    cell.append(shownIn);
  }
  shownIn.after(files);
}

function buttonOf(name, id, press) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: name, id });
  button.addEventListener("click", press);
  return button;
}

function nameOf(table) {
  const [, campaign] = /^\/c\/([^/]+)\//.exec(location.pathname) ?? [];
  return [campaign, table.dataset.file].filter(Boolean).join("-");
}

function titleOf(table) {
  const region = table.closest("[role=region]");
  const label = document.getElementById(region?.getAttribute("aria-labelledby"));
  return shown(table.caption?.firstChild ?? label) || (region?.getAttribute("aria-label") ?? "");
}

function headOf(head) {
  return head.dataset.unit ? `${shown(head)} (${head.dataset.unit})` : shown(head);
}

const rowsOf = (table) => [...table.tBodies[0].rows, ...(table.tFoot?.rows ?? [])];

function csvOf(table) {
  const rows = rowsOf(table);
  const columns = headsOf(table).map((head, place) => ({
    title: headOf(head),
    parts: PARTS.filter((part) => rows.some((row) => isOf(part)(row.cells[place]))),
  }));
  const lines = [
    columns.flatMap(({ title, parts }) => [title, ...parts.map((part) => `${title}_${part}`)].map(safe)),
    ...rows.map((row) =>
      columns.flatMap(({ parts }, place) => {
        const cell = row.cells[place];
        return [valueOf(cell), ...parts.map((part) => cell?.dataset[part] ?? "")];
      }),
    ),
  ];
  // spreadsheets take the mark at the beginning for UTF-8
  return "\uFEFF" + lines.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");
}

// A number in full, a time, or a text that no spreadsheet takes for a formula.
function valueOf(cell) {
  if (!cell) return "";
  const { value, x } = cell.dataset;
  const text = shown(cell);
  const isNumber = cell.matches(".number-cell") || x !== undefined;
  const known = value ?? timeOf(cell) ?? (isNumber ? numberIn(text)?.toString() : undefined);
  return known ?? (NOTHING.has(text) ? "" : safe(text));
}

const safe = (text) => (FORMULA.test(text) ? `'${text}` : text);
const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const escaped = (text) =>
  text.replace(/-(?=-)/g, "-\0").replace(/./gsu, (sign) => COMMANDS[sign] ?? sign);

function latexOf(table) {
  const line = (cells) => `    ${cells.map(escaped).join(" & ")} \\\\`;
  const heads = headsOf(table);
  const rows = rowsOf(table).map((row) => heads.map((_, place) => shown(row.cells[place])));
  const alignment = heads.map((head) => (head.matches(".number-cell") ? "r" : "l")).join("");
  return `${[
    "% needs \\usepackage{booktabs}",
    "\\begin{table}",
    "  \\centering",
    `  \\caption{${escaped(titleOf(table))}}`,
    `  \\label{tab:${table.dataset.file}}`,
    `  \\begin{tabular}{${alignment}}`,
    "    \\toprule",
    line(heads.map(headOf)),
    "    \\midrule",
    ...rows.map(line),
    "    \\bottomrule",
    "  \\end{tabular}",
    "",
    "  \\smallskip",
    `  {\\footnotesize ${escaped(`${document.title}, ${new Date().toISOString().slice(0, 10)}`)}\\par}`,
    "\\end{table}",
  ].join("\n")}\n`;
}

function enhance() {
  for (const table of document.querySelectorAll("table:is([data-sortable], [data-file])")) {
    if (asServed.has(table) || !table.tHead || !table.tBodies[0]?.rows.length) continue;
    asServed.set(table, [...table.tBodies[0].rows]);
    if ("sortable" in table.dataset) addSorters(table);
    if (table.dataset.file) addFiles(table);
  }
}

let focused; // a button that is replaced with its table keeps the focus
enhance();
document.addEventListener("htmx:beforeSwap", () => (focused = document.activeElement?.id));
document.addEventListener("htmx:afterSwap", enhance);
document.addEventListener("htmx:afterSettle", () => {
  if (focused && document.activeElement === document.body) document.getElementById(focused)?.focus();
});
