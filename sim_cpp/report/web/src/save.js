// What the page writes to disk: a chart as SVG, the numbers of a figure as CSV.
import {element} from "./dom.js";

const cell = (value) => {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** As to_csv() of report/figure.h writes it. */
export function csvOf(f) {
  const parts = f.rows.some((r) => r.part), noise = f.rows.some((r) => r.low !== undefined), dots = f.kind === "dots";
  const head = [f.group_name, f.series_name, ...(parts ? ["part"] : []), ...(dots ? [f.x_label] : []),
    f.unit ? `${f.y_label} (${f.unit})` : f.y_label, ...(noise ? ["low (95 %)", "high (95 %)"] : []), "runs"];
  const lines = f.rows.map((r) => [r.group, r.series, ...(parts ? [r.part] : []), ...(dots ? [r.x] : []), r.value, ...(noise ? [r.low, r.high] : []), r.runs]);
  return [head, ...lines].map((line) => line.map(cell).join(",") + "\n").join("");
}

const LIGHT = {"--ink": "#1c1c1c", "--paper": "#ffffff", "--soft": "#666666", currentColor: "#1c1c1c"};

/** The chart alone, dark on white whatever the page's colours are, under its title. */
export function svgOf(svg, title) {
  const copy = svg.cloneNode(true), [width, height] = ["width", "height"].map((a) => Number(svg.getAttribute(a)));
  const words = document.createElementNS(svg.namespaceURI, "text");
  words.textContent = title;
  for (const [key, value] of Object.entries({x: 4, y: 16, "font-weight": "bold", "font-size": 13})) words.setAttribute(key, value);
  for (const child of copy.children) child.setAttribute("y", Number(child.getAttribute("y") ?? 0) + 26);
  copy.prepend(words);
  copy.setAttribute("width", width);
  copy.setAttribute("height", height + 26);
  copy.setAttribute("viewBox", `0 0 ${width} ${height + 26}`);
  copy.setAttribute("style", "background:#ffffff;fill:#1c1c1c;font-family:Helvetica,Arial,sans-serif");
  const text = new XMLSerializer().serializeToString(copy);
  return text.replace(/var\((--[a-z]+)\)/g, (all, name) => LIGHT[name] ?? all).replace(/currentColor/gi, LIGHT.currentColor);
}

function save(name, type, text) {
  const link = element("a", {href: URL.createObjectURL(new Blob([text], {type})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Buttons under a chart. `svg()` gives the drawn one. */
export function savers(f, svg) {
  const button = (text, title, act) => {
    const node = element("button", {type: "button", title}, text);
    node.addEventListener("click", act);
    return node;
  };
  return element("p", {class: "savers"},
    button("Save SVG", `${f.title} as a picture`, () => save(`${f.id}.svg`, "image/svg+xml", svgOf(svg(), f.title))),
    button("Save CSV", `${f.title} as numbers`, () => save(`${f.id}.csv`, "text/csv", csvOf(f))));
}
