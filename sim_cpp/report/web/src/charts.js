// The charts: each draws a figure of the data (report/figure.h) into one SVG, with its legend. Bars stand where the page
// is wide enough and lie elsewhere. Every mark says its value (aria-label).
import * as Plot from "@observablehq/plot";
import {data, number, place, valueText} from "./format.js";

const PAPER = "var(--paper)", INK = "currentColor";
const SYMBOLS = ["circle", "square2", "triangle2", "diamond2", "plus", "asterisk", "times"];
const colour = (i) => data.palette[i % data.palette.length];
const dashed = (i) => i >= data.hues;
const narrow = (width) => width < 520;
const axisTitle = (f) => (f.unit ? `${f.y_label} (${f.unit})` : f.y_label);
const said = (f, r) => `${[r.group, r.series, r.part].filter(Boolean).join(", ")}: ${valueText(f, r)}`;
/** A scheme has its colour in every figure. */
const colourOf = (f, name) => colour(f.series_name === "scheme" ? data.schemes.indexOf(name) : f.series.indexOf(name));

function frame(width, height, margins, options) {
  return Plot.plot({width, height, marginTop: 14, marginRight: 20, marginBottom: 44, ...margins, ...options,
    style: {fontSize: "12px", background: "none", color: INK, overflow: "visible"}});
}

/** Names with what stands for them in the plot, in as many lines as they need. */
function legend(items, width, symbols) {
  let x = 0, line = 0;
  const placed = items.map((item) => {
    const wide = 34 + 7 * item.name.length;
    if (x > 0 && x + wide > width) (x = 0), ++line;
    const at = {...item, x, y: line * 20 + 10};
    x += wide;
    return at;
  });
  const marks = symbols
    ? [...placed.map((p) => Plot.ruleY([p], {x1: p.x, x2: p.x + 22, y: p.y, stroke: p.colour, strokeWidth: 2, strokeDasharray: p.dashed ? "6,3" : null})),
      ...placed.map((p) => Plot.dot([p], {x: p.x + 11, y: p.y, symbol: p.symbol, r: 4.5, stroke: p.colour, strokeWidth: 1.5, fill: PAPER, ariaLabel: () => `legend ${p.name}`}))]
    : [Plot.rect(placed, {x1: (p) => p.x + 4, x2: (p) => p.x + 18, y1: (p) => p.y - 6, y2: (p) => p.y + 6, fill: (p) => p.colour})];
  return Plot.plot({width, height: (line + 1) * 20, margin: 0, axis: null, x: {domain: [0, width], range: [0, width]},
    y: {domain: [0, (line + 1) * 20], range: [0, (line + 1) * 20]}, color: {type: "identity"},
    style: {fontSize: "12px", background: "none", color: INK, overflow: "visible"},
    marks: [...marks, Plot.text(placed, {x: (p) => p.x + (symbols ? 28 : 24), y: "y", text: "name", textAnchor: "start", fill: INK})]});
}

/** Legend above plot, as one SVG: it is saved as it is. */
function together(above, plot) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const [width, heights] = [plot.getAttribute("width"), [above, plot].map((p) => (p ? Number(p.getAttribute("height")) : 0))];
  if (above) {
    above.setAttribute("class", `legend ${above.getAttribute("class")}`);
    plot.setAttribute("y", heights[0] + 4);
    svg.append(above);
  }
  svg.append(plot);
  const height = heights[0] + heights[1] + 4;
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  return svg;
}

const GAP = " "; // an empty group before the means

/** Grouped bars around 0, standing or lying; `stack`: of parts. */
function bars(f, width) {
  const stack = f.kind === "stack", parts = stack ? f.parts : f.series;
  const groups = f.means ? [...f.groups.slice(0, -f.means), GAP, ...f.groups.slice(-f.means)] : f.groups;
  const means = f.groups.slice(f.groups.length - f.means);
  width = Math.min(width, Math.max(360, 120 + 90 * groups.length * f.series.length)); // a bar is no field
  const step = (width - 90) / groups.length, bar = (0.82 * step) / f.series.length;
  const upright = width >= 640 && bar >= (stack ? 16 : 11);
  const rows = f.rows.filter((r) => r.value !== null), none = f.rows.filter((r) => r.value === null);
  const fill = (r) => (stack ? colour(f.parts.indexOf(r.part)) : colourOf(f, r.series));
  const nets = [];
  let low = 0, high = 0;
  if (stack) {
    const sums = new Map();
    for (const r of rows) {
      const key = `${r.group}\u0001${r.series}`, s = sums.get(key) ?? {group: r.group, series: r.series, below: 0, above: 0};
      s[r.value < 0 ? "below" : "above"] += r.value;
      sums.set(key, s);
    }
    nets.push(...sums.values());
  }
  for (const r of rows) (low = Math.min(low, r.value, r.low ?? 0)), (high = Math.max(high, r.value, r.high ?? 0));
  for (const n of nets) (low = Math.min(low, n.below)), (high = Math.max(high, n.above));
  const room = stack ? 0 : (upright ? (bar >= 44 ? 0.08 : 0.18) : Math.min(0.35, 62 / Math.max(120, width - 140))) * (high - low || 1);
  const domain = [low < 0 ? low - room : 0, high > 0 || low === 0 ? high + room : 0];
  const longest = 7 * Math.max(...f.series.map((s) => s.length), 1);
  const turned = upright && bar < 44;
  const sunk = upright && stack && f.series.length > 1 ? (longest < bar ? 18 : longest + 8) : 0;
  const slanted = upright && groups.some((g) => 7 * g.length > step);
  const end = (r) => (r.value < 0 ? r.low ?? r.value : r.high ?? r.value);
  const ticks = upright ? 7 : narrow(width) ? 4 : 8;
  const [F, B, V] = upright ? ["fx", "x", "y"] : ["fy", "y", "x"];
  const at = (r) => ({[F]: "group", [B]: "series"});
  const label = (negative) => Plot.text(stack ? [] : rows.filter((r) => r.value < 0 === negative), {...at(), [V]: end,
    text: (r) => number(r.value, true), fontSize: 11, fill: INK,
    ...(upright ? (turned ? {rotate: -90, textAnchor: negative ? "end" : "start", dy: negative ? 4 : -4}
      : {lineAnchor: negative ? "top" : "bottom", dy: negative ? 4 : -4}) : {textAnchor: negative ? "end" : "start", dx: negative ? -5 : 5})});
  const name = (bold) => Plot.text(f.groups.filter((g) => means.includes(g) === bold).map((group) => ({group})), {[F]: "group", text: "group",
    fontWeight: bold ? "bold" : "normal", fill: INK, ...(upright
      ? {frameAnchor: "bottom", dy: 14 + sunk, ...(slanted ? {rotate: -40, textAnchor: "end"} : {lineAnchor: "top", dy: 8 + sunk})}
      : {frameAnchor: "top-left", dx: -8, dy: -10, textAnchor: "start", lineAnchor: "middle", fontWeight: "bold"})});
  const whiskers = rows.filter((r) => r.low !== undefined);
  const rule = upright ? Plot.ruleX : Plot.ruleY, cap = upright ? Plot.tickY : Plot.tickX;
  const between = upright ? bar / 2 - 4 : 6;
  const box = {...at(), [V]: "value", fill, fillOpacity: (r) => (r.low <= 0 && r.high >= 0 ? 0.4 : 1), ariaLabel: (r) => said(f, r),
    ...(upright ? {insetLeft: 1, insetRight: 1} : {insetTop: 1, insetBottom: 1})};
  const kind = upright ? Plot.barY : Plot.barX, stacked = upright ? Plot.stackY : Plot.stackX;
  const lines = f.series.length * (stack ? 20 : 18) + 26;
  const plot = frame(width, upright ? 330 + sunk + (slanted ? 60 : 0) : groups.length * lines + 60,
    upright ? {marginLeft: 56, marginTop: 30, marginBottom: 30 + sunk + (slanted ? 60 : 0)} : {marginLeft: stack ? Math.min(110, 14 + longest) : 14, marginTop: 26, marginBottom: 44}, {
      [F]: {domain: groups, axis: null, label: null, padding: 0, ...(upright ? {} : {paddingInner: 26 / lines})},
      [B]: {domain: f.series, padding: 0, ...(upright ? {paddingOuter: 0.11 * f.series.length} : {}), ...(stack && f.series.length > 1 ? {label: null, tickSize: 0, ...(upright && longest >= bar ? {tickRotate: -90} : {})} : {axis: null})},
      [V]: {axis: null, grid: true, nice: true, domain, ticks},
      color: {type: "identity"},
      marks: [
        upright ? Plot.axisY({facetAnchor: "left", ticks, label: `↑ ${axisTitle(f)}`, labelAnchor: "top"})
          : Plot.axisX({facetAnchor: "bottom", ticks, label: `${axisTitle(f)} →`, labelAnchor: "right"}),
        stack ? kind(rows, stacked({...box, order: f.parts, z: "part"})) : kind(rows, box),
        (upright ? Plot.ruleY : Plot.ruleX)([0], {stroke: INK}),
        rule(whiskers, {...at(), [`${V}1`]: "low", [`${V}2`]: "high", stroke: INK, ariaLabel: (r) => `whisker ${said(f, r)}`}),
        ...["low", "high"].map((side) => cap(whiskers, {...at(), [V]: side, stroke: INK, inset: between})),
        label(true), label(false), name(false), name(true),
        Plot.text(none, {...at(), [V]: 0, text: () => "none", fontSize: 10, fill: "var(--soft)", ...(turned ? {rotate: -90, textAnchor: "start", dy: -4} : upright ? {lineAnchor: "bottom", dy: -4} : {textAnchor: "start", dx: 5})}),
        Plot.dot(nets, {...at(), [V]: (n) => n.below + n.above, symbol: "diamond", r: 4.5, fill: PAPER, stroke: INK,
          ariaLabel: (n) => `${n.group}, ${n.series}, all parts: ${number(n.below + n.above, f.unit === "%")} ${f.unit}`}),
      ]});
  return together(parts.length > 1 || !stack ? legend(parts.map((p, i) => ({name: p, colour: stack ? colour(i) : colourOf(f, p)})), width, false) : null, plot);
}

/** A scale over `values`; what does not change gets one that shows so. */
function scaleOver(values) {
  const low = Math.min(...values), high = Math.max(...values), size = Math.max(Math.abs(low), Math.abs(high)) || 20;
  return {grid: true, nice: true, ...(high - low < 0.01 * size ? {domain: [low - 0.05 * size, high + 0.05 * size]} : {})};
}

const spansMuch = (numbers) => Math.min(...numbers) > 0 && Math.max(...numbers) / Math.min(...numbers) >= 8;

/** Lines over values of x, on a log scale where they span much; references as crosses. */
function lines(f, width) {
  const rows = f.rows.filter((r) => r.value !== null), measured = rows.filter((r) => !r.part), published = rows.filter((r) => r.part);
  const numbers = f.numbers ? [...new Set(measured.map((r) => r.x))].sort((a, b) => a - b) : null;
  const spans = numbers && spansMuch(numbers), X = f.numbers ? "x" : "group";
  // Every value has its label, no other one; every second or third where the page is too narrow for that.
  const every = numbers ? Math.ceil((numbers.length * 40) / (width - 92)) : 1;
  const labelled = numbers?.filter((_, i) => i % every === 0);
  const symbol = (name) => SYMBOLS[f.series.indexOf(name) % SYMBOLS.length];
  const plot = frame(width, 330, {marginLeft: 56, marginTop: 30}, {
    x: {label: null, axis: numbers ? null : "bottom", ...(numbers ? (spans ? {type: "log"} : {}) : {type: "point", domain: f.groups})},
    y: {label: `↑ ${axisTitle(f)}`, ...scaleOver(f.unit === "%" ? [0, ...rows.map((r) => r.value)] : rows.map((r) => r.value))},
    color: {type: "identity"},
    marks: [
      numbers ? Plot.gridX(labelled) : null,
      numbers ? Plot.axisX(labelled, {text: (d) => place(d), label: null}) : null,
      Plot.text([f.x_label], {frameAnchor: "bottom-right", text: (d) => `${d} →`, dy: 38, fill: INK}),
      f.unit === "%" ? Plot.ruleY([0], {stroke: INK}) : null,
      ...f.series.map((name, i) => Plot.line(measured.filter((r) => r.series === name), {x: X, y: "value", stroke: colourOf(f, name), strokeWidth: 2,
        strokeDasharray: dashed(i) ? "6,3" : null})),
      ...f.series.map((name) => Plot.dot(measured.filter((r) => r.series === name), {x: X, y: "value", stroke: colourOf(f, name), symbol: symbol(name), r: 4.5, fill: PAPER,
        ariaLabel: (r) => `${r.series}, ${r.group}: ${valueText(f, r)}`})),
      Plot.dot(published, {x: X, y: "value", stroke: (r) => colourOf(f, r.series), symbol: "times", r: 7, strokeWidth: 2.5, ariaLabel: (r) => `${r.series}, ${r.group}: ${valueText(f, r)}`}),
    ]});
  return together(legend(f.series.map((name, i) => ({name, colour: colourOf(f, name), symbol: symbol(name), dashed: dashed(i)})), width, true), plot);
}

/** A dot for each row. */
function dots(f, width) {
  const rows = f.rows.filter((r) => r.value !== null), symbol = (name) => SYMBOLS[f.series.indexOf(name) % SYMBOLS.length];
  const places = rows.map((r) => r.x), spans = spansMuch(places), scale = scaleOver(places);
  const plot = frame(width, 350, {marginLeft: 56, marginTop: 30}, {
    x: {label: `${f.x_label} →`, ...(spans ? {type: "log", grid: true, ticks: narrow(width) ? 4 : 8} : scale), tickFormat: (d) => number(d)},
    y: {label: `↑ ${axisTitle(f)}`, ...scaleOver([0, ...rows.map((r) => r.value)])},
    color: {type: "identity"},
    marks: [
      spans || scale.domain ? null : Plot.ruleX([0], {strokeOpacity: 0.4}), // a scale of its own may lie far from 0
      Plot.ruleY([0], {stroke: INK}),
      ...f.series.map((name) => Plot.dot(rows.filter((r) => r.series === name), {x: "x", y: "value", symbol: symbol(name), stroke: colourOf(f, name),
        r: rows.length > 500 ? 1.5 : 4.5, strokeOpacity: 0.8, ...(rows.length > 500 ? {} : {ariaLabel: (r) => said(f, r)})})),
    ]});
  return together(legend(f.series.map((name) => ({name, colour: colourOf(f, name), symbol: symbol(name)})), width, true), plot);
}

/** A map of two axes, in steps of lightness. */
function map(f, width) {
  const rows = f.rows.filter((r) => r.value !== null), values = rows.map((r) => r.value);
  const [low, high] = [Math.min(...values), Math.max(...values)], steps = data.steps.length;
  const step = (v) => Math.min(steps - 1, Math.floor(high > low ? ((v - low) / (high - low)) * steps : 0));
  const small = width / f.groups.length < 40;
  const plot = frame(width, f.series.length * 30 + 90, {marginLeft: 14 + 7 * Math.max(...f.series.map((s) => s.length), 4), marginTop: 30, marginBottom: 56}, {
    x: {label: `${f.x_label} →`, type: "band", domain: f.groups, tickRotate: small ? -45 : 0},
    y: {label: `↑ ${f.series_name}`, type: "band", domain: f.series, reverse: true},
    color: {type: "identity"},
    marks: [
      Plot.cell(rows, {x: "group", y: "series", fill: (r) => data.steps[step(r.value)], inset: 0.5, ariaLabel: (r) => said(f, r)}),
      small ? null : Plot.text(rows, {x: "group", y: "series", text: (r) => number(r.value, true), fill: (r) => (step(r.value) > steps / 2 ? "black" : "white")}),
    ]});
  const bounds = (i) => low + ((high - low) * i) / steps;
  const shown = high > low ? [0, Math.floor(steps / 2), steps - 1] : [0];
  return together(legend(shown.map((i) => ({name: `${number(bounds(i), true)} to ${number(bounds(i + 1), true)} ${f.unit}`, colour: data.steps[i]})), width, false), plot);
}

const KINDS = {bars, stack: bars, lines, dots, map};
export const draw = (f, width) => KINDS[f.kind](f, width);
