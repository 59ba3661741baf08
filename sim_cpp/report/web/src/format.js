// Numbers and names as the page shows them.
const digits = new Map();

function format(value, least, most) {
  const key = `${least} ${most}`;
  if (!digits.has(key)) digits.set(key, new Intl.NumberFormat("en", {minimumFractionDigits: least, maximumFractionDigits: most}));
  return digits.get(key).format(value);
}

const decimalsOf = (value, places) => (Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 100 ? 1 : places);

/** A number with at most `places` decimals and grouped thousands. */
export function number(value, places = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (typeof value !== "number") return String(value);
  return format(value, 0, Number.isInteger(value) ? 0 : decimalsOf(value, places));
}

/** How the numbers of a table's column are shown: all with the decimals that the largest one gets, so that points stand
 * under each other; each in its own way where that would round a small one away. */
export function columnFormat(values, places = 3) {
  const sizes = values.filter((v) => typeof v === "number" && Number.isFinite(v) && v !== 0).map(Math.abs);
  const largest = sizes.length ? Math.max(...sizes) : 0, decimals = decimalsOf(largest, places);
  if (values.every((v) => typeof v !== "number" || Number.isInteger(v)) || Math.min(...sizes) < 10 ** (1 - decimals)) {
    return (value) => number(value, places);
  }
  return (value) => (typeof value === "number" && Number.isFinite(value) ? format(value, decimals, decimals) : number(value));
}

/** "1 run", "2 runs" */
export const counted = (n, what) => `${number(n)} ${what}${n === 1 ? "" : "s"}`;

export const percent = (value) =>
  value === null || value === undefined || !Number.isFinite(value) ? "–" : `${value > 0 ? "+" : ""}${value.toFixed(1)} %`;

/** Okabe and Ito's colours, which people with any kind of colour vision tell apart; yellow is left out (too light). Then
 * darker shades of them, for the eighth name and on. */
const HUES = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#888888"];
export const PALETTE = [...HUES, "#4d8fd6", "#9a6a00", "#5fc9a5", "#8a3d00", "#2c7ba6", "#8c4f70", "#b8b8b8"];
/** Names beyond the first colours. */
export const isSecondRound = (names, name) => names.indexOf(name) >= HUES.length;

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

/** Geometric mean of the numbers among `values`: 0 where one is 0. */
export function geomean(values) {
  const numbers = values.filter(Number.isFinite);
  return numbers.length ? Math.exp(numbers.reduce((sum, v) => sum + Math.log(v), 0) / numbers.length) : NaN;
}

/** A number when all labels are numbers: axes of a sweep. */
export function numeric(labels) {
  const numbers = labels.map(Number);
  return numbers.every((n, i) => labels[i] !== "" && Number.isFinite(n)) ? numbers : null;
}
