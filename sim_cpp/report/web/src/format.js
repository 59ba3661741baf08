// The data that `warpsieve report` put into the page, and numbers as the page shows them.
export const data = JSON.parse(document.getElementById("data").textContent);

const digits = new Map();

function decimals(value, places) {
  if (!digits.has(places)) digits.set(places, new Intl.NumberFormat("en", {minimumFractionDigits: places, maximumFractionDigits: places}));
  return digits.get(places).format(value).replace("-", "−"); // as the axes have it
}

/** Three significant digits: "0.970", "12.3", "1,230"; whole numbers below 1000 as they are; signed: "+12.3". As
 * short_number() of report/figure.h. */
export function number(value, signed = false) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (Math.abs(value) < 0.0005) return "0";
  if (Number.isInteger(value) && Math.abs(value) < 1000 && !signed) return String(value).replace("-", "−");
  const rounded = Number(value.toPrecision(3)), places = Math.min(5, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(rounded)))));
  return (signed && value > 0 ? "+" : "") + decimals(rounded, places);
}

/** A count in full: "1,234,567". */
export const exact = (value) => (value === null || value === undefined ? "–" : decimals(value, 0));

/** A value of x, which is no measurement: whole numbers in full. */
export const place = (value) => (Number.isInteger(value) ? exact(value) : number(value));

/** "1 run", "2 runs" */
export const counted = (n, what) => `${exact(n)} ${what}${n === 1 ? "" : "s"}`;

export const percent = (value, half) =>
  value === null || value === undefined ? "–" : `${number(value, true)}${half ? ` ± ${number(half)}` : ""} %`;

/** What a row of a figure says. */
export const valueText = (f, r) => (r.value === null ? "none" : `${number(r.value, f.unit === "%")}${f.unit ? ` ${f.unit}` : ""}`);
