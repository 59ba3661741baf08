// Tables: sorted by their headings, filtered by words, and they say when they scroll.
import {element} from "./dom.js";
import {counted, exact, number, place} from "./format.js";

const FILTERED = 8; // rows from which a table has a filter
const OPEN = 40; // rows up to which a table is open from the start

function compareCells(a, b) {
  if (a === b) return 0;
  if (a === null || a === undefined) return 1; // what is not there comes last
  if (b === null || b === undefined) return -1;
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", {numeric: true});
}

/** columns: {title, value, text, long, exact, place, signed, mark}. */
function build(columns, rows) {
  const lines = rows.map((row, order) => {
    const node = document.createElement("tr");
    const values = columns.map((c) => (typeof c.value === "function" ? c.value(row) : row[c.value]));
    columns.forEach((c, i) => {
      const cell = document.createElement("td"), value = values[i];
      if (c.text) cell.className = c.long ? "text long" : "text";
      cell.textContent = c.text || typeof value === "string" ? (value ?? "–") : c.exact ? exact(value) : c.place ? place(value) : number(value, c.signed);
      if (c.mark) cell.dataset.mark = c.mark(row);
      node.append(cell);
    });
    return {node, values, order, words: node.textContent.toLowerCase()};
  });
  const body = element("tbody", {}, ...lines.map((l) => l.node));
  const heads = columns.map((c, i) => {
    const button = element("button", {type: "button"}, c.title);
    const head = element("th", {scope: "col", class: c.text ? "text" : "", "aria-sort": "none"}, button);
    button.addEventListener("click", () => {
      const order = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      heads.forEach((h) => h.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1, missing = (v) => v === null || v === undefined;
      lines.sort((a, b) => (missing(a.values[i]) || missing(b.values[i]) ? 1 : sign) * compareCells(a.values[i], b.values[i]) || a.order - b.order);
      body.append(...lines.map((l) => l.node));
    });
    return head;
  });
  const scroll = element("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "table"},
    element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body));
  const hint = element("p", {class: "hint"});
  const measure = () => {
    const across = scroll.scrollWidth > scroll.clientWidth + 1, down = scroll.scrollHeight > scroll.clientHeight + 1;
    hint.textContent = across && down ? "Scroll the table for more columns → and rows ↓" : across ? "Scroll the table for more columns →" : down ? "Scroll the table for more rows ↓" : "";
  };
  new ResizeObserver(measure).observe(scroll);
  const nodes = [scroll, hint];
  if (rows.length > FILTERED) {
    const input = element("input", {type: "search", placeholder: "Filter rows", "aria-label": "Filter rows"}), count = element("span", {class: "count", "aria-live": "polite"});
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const l of lines) shown += !(l.node.hidden = !words.every((w) => l.words.includes(w)));
      count.textContent = words.length ? `${exact(shown)} of ${counted(rows.length, "row")}` : "";
      measure();
    });
    nodes.unshift(element("p", {class: "filter"}, input, " ", count));
  }
  return nodes;
}

/** The data under a chart. Long tables are made when they are opened or printed. */
export function dataTable(title, columns, rows) {
  const details = element("details", {class: "data"}, element("summary", {}, `${title} (${counted(rows.length, "row")})`));
  let made = false;
  const make = () => {
    if (made) return;
    made = true;
    details.append(...build(columns, rows));
  };
  if (rows.length <= OPEN) {
    make();
    details.open = true;
  }
  details.addEventListener("toggle", () => details.open && make());
  details.fill = make;
  return details;
}
