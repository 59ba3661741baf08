// Elements, tables, and sections whose charts follow the width of the page.
import {columnFormat, counted} from "./format.js";

/** element("p", {class: "x"}, "text", child...) */
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "text") node.textContent = value;
    else node.setAttribute(key, value);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

function build(columns, rows) {
  const head = element("tr", {}, ...columns.map((c) => element("th", {scope: "col", class: c.text ? "text" : ""}, c.title)));
  const body = element("tbody");
  const values = columns.map((c) => rows.map((row) => (typeof c.value === "function" ? c.value(row) : row[c.value])));
  const formats = columns.map((c, i) => (c.text ? null : columnFormat(values[i], c.places)));
  rows.forEach((row, r) => {
    const line = document.createElement("tr");
    columns.forEach((c, i) => {
      const cell = document.createElement("td");
      const value = values[i][r];
      if (c.text) cell.className = c.long ? "text long" : "text";
      cell.textContent = c.text || typeof value === "string" ? (value ?? "–") : formats[i](value);
      if (c.mark) cell.dataset.mark = c.mark(row);
      line.append(cell);
    });
    body.append(line);
  });
  return element("div", {class: "scroll"}, element("table", {}, element("thead", {}, head), body));
}

const SHOWN = 40; // rows of a table that is open from the start

/** The data under a chart. Long tables are made when they are opened or printed. */
export function dataTable(title, columns, rows) {
  const details = element("details", {class: "data"}, element("summary", {}, `${title} (${counted(rows.length, "row")})`));
  let made = false;
  const make = () => {
    if (made) return;
    made = true;
    details.append(build(columns, rows));
  };
  if (rows.length <= SHOWN) {
    make();
    details.open = true;
  }
  details.addEventListener("toggle", () => details.open && make());
  details.fill = make;
  return details;
}

const drawers = [];
let printing = false, openedToPrint = [];

/** A figure that draws itself again when its width changes. `draw(width)` gives a node. */
export function chart(caption, draw) {
  const place = element("div", {class: "plot"});
  const figure = element("figure", {}, element("figcaption", {}, caption), place);
  let last = 0;
  const redraw = (force) => {
    const width = printing ? 680 : Math.max(300, Math.floor(place.clientWidth || 680));
    if (width === last && !force) return;
    last = width;
    place.replaceChildren(draw(width));
    for (const svg of place.querySelectorAll("svg")) {
      // The squares of a legend are <svg>, too, in a <span> with their text.
      if (svg.closest("span")) {
        svg.setAttribute("aria-hidden", "true");
        continue;
      }
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", figure.querySelector("figcaption").textContent);
    }
  };
  drawers.push(redraw);
  figure.redraw = () => redraw(true);
  return figure;
}

/** Draws what the page holds, and again when its width changes or it is printed. */
export function startDrawing() {
  drawers.forEach((d) => d(false));
  let waiting = false;
  window.addEventListener("resize", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      drawers.forEach((d) => d(false));
    });
  });
  window.addEventListener("beforeprint", () => {
    printing = true;
    openedToPrint = [...document.querySelectorAll("details.data:not([open])")];
    for (const details of openedToPrint) {
      details.fill?.(); // the event of opening comes too late
      details.open = true;
    }
    drawers.forEach((d) => d(true));
  });
  window.addEventListener("afterprint", () => {
    printing = false;
    openedToPrint.forEach((details) => (details.open = false));
    drawers.forEach((d) => d(true));
  });
}

export function section(id, title, ...children) {
  return element("section", {id}, element("h2", {}, title), ...children.filter(Boolean));
}
