// The charts. Bars lie: any number of workloads fits a narrow page. Every mark says its value (aria-label).
import * as Plot from "@observablehq/plot";
import {isSecondRound, number, PALETTE} from "./format.js";

const narrow = (width) => width < 520;

function frame(width, rows, options) {
  return {
    width,
    height: 76 + rows,
    marginLeft: narrow(width) ? 92 : 130,
    marginRight: 36,
    marginTop: 34,
    marginBottom: 42,
    style: {fontSize: "12px", background: "none", color: "currentColor", overflow: "visible"},
    ...options,
  };
}

const GAP = 26; // above the bars of each group, for its name

/** Facets of `bars` bars each: {height, fy}. */
function facets(groups, bars) {
  const step = bars * 20 + GAP;
  return {height: groups.length * step, fy: {label: null, axis: null, paddingInner: GAP / step, paddingOuter: 0, domain: groups}};
}

/** A scale over `values`; what does not change gets one that shows so. */
function scaleOver(values) {
  const low = Math.min(...values), high = Math.max(...values), size = Math.max(Math.abs(low), Math.abs(high)) || 20;
  return {grid: true, nice: true, tickFormat: (d) => number(d), ...(high - low < 0.01 * size ? {domain: [low - 0.05 * size, high + 0.05 * size]} : {})};
}

/** The name of each group in its left upper corner, so that the bars keep the width of the page. */
function groupNames(rows, group) {
  const names = [...new Set(rows.map((r) => r[group]))];
  return Plot.text(names.map((name) => ({name})), {
    fy: "name", text: "name", frameAnchor: "top-left", dx: 4, dy: -12, fontWeight: "bold", lineAnchor: "middle",
  });
}

/** One bar for each row, in groups. rows: {group, name, value}; a line at `base`. */
export function groupedBars(rows, width, {label, base = null, color, names}) {
  const {height, fy} = facets([...new Set(rows.map((r) => r.group))], names.length);
  return Plot.plot(frame(width, height, {
    fy,
    y: {label: null, domain: names},
    x: {label, grid: true, nice: true, ticks: narrow(width) ? 4 : 8},
    color: {domain: names, range: color},
    marks: [
      Plot.barX(rows, {
        fy: "group", y: "name", x: "value", fill: "name", insetTop: 1, insetBottom: 1,
        ariaLabel: (d) => `${d.group}, ${d.name}: ${number(d.value)}`,
      }),
      base === null ? null : Plot.ruleX([base], {strokeDasharray: "3,3"}),
      // On a halo, so that the line at `base` does not strike it out.
      Plot.text(rows, {fy: "group", y: "name", x: "value", text: (d) => number(d.value), textAnchor: "start", dx: 5,
        fill: "var(--ink)", stroke: "var(--paper)", strokeWidth: 5}),
      groupNames(rows, "group"),
    ],
  }));
}

/** Stacked bars. rows: {group, name, part, value}; parts: [{name, color}]. */
export function stackedBars(rows, width, {label, parts, names}) {
  const {height, fy} = facets([...new Set(rows.map((r) => r.group))], names.length);
  const order = parts.map((p) => p.name);
  return Plot.plot(frame(width, height, {
    fy,
    y: {label: null, domain: names},
    x: {label, grid: true, nice: true, ticks: narrow(width) ? 4 : 8},
    color: {domain: order, range: parts.map((p) => p.color), legend: true},
    marks: [
      Plot.barX(rows, Plot.stackX({
        fy: "group", y: "name", x: "value", fill: "part", order, insetTop: 1, insetBottom: 1,
        ariaLabel: (d) => `${d.group}, ${d.name}, ${d.part}: ${number(d.value)}`,
      })),
      groupNames(rows, "group"),
      Plot.ruleX([0]),
    ],
  }));
}

/** Lines over one axis of a sweep. rows: {x, line, value}; `names`: all lines of the page, so that each keeps its colour;
 * numbers are on a log scale where they span much. markers: {x, line, value, what}, drawn as crosses. */
export function lines(rows, width, {label, xLabel, numbers, domain, names, markers = []}) {
  const spans = numbers && Math.min(...numbers) > 0 && Math.max(...numbers) / Math.min(...numbers) >= 8;
  const x = !numbers ? {type: "point", domain} : spans ? {type: "log"} : {};
  // On a log scale every value of the sweep has its label (of its own accord the scale names only some of them), and
  // every second or third where the page is too narrow for that.
  const every = spans ? Math.ceil((numbers.length * 36) / (width - 92)) : 1;
  const labelled = spans ? [...numbers].sort((a, b) => a - b).filter((_, i) => i % every === 0) : null;
  return Plot.plot({
    ...frame(width, 260, {marginLeft: 56, marginBottom: 40}),
    x: {label: xLabel, grid: !spans, axis: spans ? null : "bottom", ...x},
    y: {label, ...scaleOver([...rows, ...markers].map((r) => r.value))},
    color: {domain: names, range: PALETTE, legend: true},
    symbol: {domain: names, legend: false},
    marks: [
      spans ? Plot.gridX(labelled) : null,
      spans ? Plot.axisX(labelled, {text: (d) => number(d), label: xLabel}) : null,
      ...[false, true].map((second) => Plot.line(rows.filter((r) => isSecondRound(names, r.line) === second), {
        x: "x", y: "value", stroke: "line", strokeWidth: 2, z: "line", strokeDasharray: second ? "6,3" : null})),
      Plot.dot(rows, {
        x: "x", y: "value", stroke: "line", symbol: "line", r: 4, fill: "var(--paper)",
        ariaLabel: (d) => `${d.line}, ${d.x}: ${number(d.value)}`,
      }),
      Plot.dot(markers, {
        x: "x", y: "value", stroke: "line", symbol: "times", r: 7, strokeWidth: 2.5,
        ariaLabel: (d) => `${d.line}, ${d.what}: ${number(d.value)}`,
      }),
    ],
  });
}

/** A map of two axes. rows: {x, y, value}. */
export function heatMap(rows, width, {xLabel, yLabel, label, xDomain, yDomain}) {
  const values = rows.map((r) => r.value);
  const small = width / xDomain.length < 34;
  return Plot.plot({
    ...frame(width, yDomain.length * 30, {marginLeft: narrow(width) ? 60 : 80, marginBottom: 44}),
    x: {label: xLabel, type: "band", domain: xDomain, tickRotate: small ? -45 : 0},
    y: {label: yLabel, type: "band", domain: yDomain, reverse: true},
    // In steps: the legend of a continuous scale would be an image.
    color: {type: "quantize", n: 8, scheme: "cividis", legend: true, label, tickFormat: (d) => number(d, 2),
      domain: [Math.min(...values), Math.max(...values)]},
    marks: [
      Plot.cell(rows, {x: "x", y: "y", fill: "value", inset: 0.5, ariaLabel: (d) => `${d.x}, ${d.y}: ${number(d.value)}`}),
      small ? null : Plot.text(rows, {
        x: "x", y: "y", text: (d) => number(d.value, 2),
        fill: (d) => ((d.value - Math.min(...values)) / (Math.max(...values) - Math.min(...values) || 1) > 0.55 ? "black" : "white"),
      }),
    ],
  });
}

/** One dot for each row. rows: {x, y, name}. */
export function cloud(rows, width, {xLabel, yLabel, names, color}) {
  return Plot.plot({
    ...frame(width, 320, {marginLeft: 56, marginBottom: 40}),
    x: {label: xLabel, ...scaleOver(rows.map((r) => r.x))},
    y: {label: yLabel, ...scaleOver(rows.map((r) => r.y))},
    color: {domain: names, range: color, legend: true},
    marks: [
      Plot.ruleX([0], {strokeOpacity: 0.4}),
      Plot.ruleY([0], {strokeOpacity: 0.4}),
      Plot.dot(rows, {x: "x", y: "y", stroke: "name", r: rows.length > 500 ? 1.5 : 3, strokeOpacity: 0.7}),
    ],
  });
}

/** Ours over the paper's on a log scale. rows: {name, ratio, verdict}. */
export function ratios(rows, width, {label, colors}) {
  return Plot.plot({
    ...frame(width, rows.length * 22, {marginLeft: narrow(width) ? 150 : 190}),
    y: {label: null, domain: rows.map((r) => r.name)},
    x: {label, type: "log", grid: true, ticks: narrow(width) ? 3 : 6, tickFormat: (d) => `${number(d)}×`},
    color: {domain: colors.map((c) => c.name), range: colors.map((c) => c.color), legend: true},
    marks: [
      Plot.ruleX([1]),
      Plot.ruleY(rows, {y: "name", x1: 1, x2: "ratio", stroke: "verdict", strokeWidth: 2}),
      Plot.dot(rows, {y: "name", x: "ratio", fill: "verdict", r: 4.5, ariaLabel: (d) => `${d.name}: ${number(d.ratio)} times`}),
    ],
  });
}
