// Numbers and names as the page shows them.
const digits = new Map();

/** A number with at most `places` decimals and grouped thousands. */
export function number(value, places = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (typeof value !== "number") return String(value);
  const decimals = Number.isInteger(value) ? 0 : Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 100 ? 1 : places;
  if (!digits.has(decimals)) digits.set(decimals, new Intl.NumberFormat("en", {maximumFractionDigits: decimals}));
  return digits.get(decimals).format(value);
}

export const percent = (value) =>
  value === null || value === undefined || !Number.isFinite(value) ? "–" : `${value > 0 ? "+" : ""}${value.toFixed(1)} %`;

/** Okabe and Ito's colours, which people with any kind of colour vision tell apart; yellow is left out (too light). */
export const PALETTE = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#888888"];

export const KINDS = [
  {key: "write", name: "write", color: "#0072b2"},
  {key: "data_read", name: "data-read", color: "#56b4e9"},
  {key: "read_only", name: "read-only", color: "#009e73"},
  {key: "metadata", name: "metadata", color: "#e69f00"},
  {key: "dedup_read", name: "dedup-read", color: "#d55e00"},
  {key: "verify_read", name: "verify-read", color: "#cc79a7"},
];

export const COMPONENTS = [
  {key: "dram", name: "DRAM", color: "#0072b2"},
  {key: "controller", name: "controller", color: "#d55e00"},
  {key: "l2", name: "L2", color: "#009e73"},
  {key: "l1", name: "L1", color: "#56b4e9"},
  {key: "noc", name: "NoC", color: "#e69f00"},
];

/** Geometric mean of positive numbers. */
export function geomean(values) {
  const positive = values.filter((v) => v > 0);
  return positive.length ? Math.exp(positive.reduce((sum, v) => sum + Math.log(v), 0) / positive.length) : NaN;
}

/** A number when all labels are numbers: axes of a sweep. */
export function numeric(labels) {
  const numbers = labels.map(Number);
  return numbers.every((n, i) => labels[i] !== "" && Number.isFinite(n)) ? numbers : null;
}
