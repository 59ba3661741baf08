// Elements, and sections whose charts follow the width of the page.
import {draw} from "./charts.js";
import {savers} from "./save.js";

/** element("p", {class: "x"}, "text", child...) */
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

const drawers = [], notes = new Set();
let printing = false, openedToPrint = [];

/** A figure that draws itself again when its width changes. A note is said once on the page. */
export function chart(f) {
  const place = element("div", {class: "plot"}), note = f.note.split(/(?<=\.) /).filter((n) => n && !notes.has(n));
  note.forEach((n) => notes.add(n));
  const figure = element("figure", {id: `figure-${f.id}`}, element("figcaption", {}, f.title), place,
    note.length ? element("p", {class: "note"}, note.join(" ")) : null, savers(f, () => place.querySelector("svg")));
  let last = 0;
  const redraw = (force) => {
    const width = printing ? 680 : Math.max(300, Math.floor(place.clientWidth || 680));
    if (width === last && !force) return;
    last = width;
    const svg = draw(f, width);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", figure.querySelector("figcaption").textContent);
    place.replaceChildren(svg);
  };
  drawers.push(redraw);
  figure.redraw = () => redraw(true);
  figure.forget = () => {
    drawers.splice(drawers.indexOf(redraw), 1);
    note.forEach((n) => notes.delete(n));
  };
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
  return element("section", {id}, element("h2", {}, title), ...children.flat().filter(Boolean));
}
