// The sections of the report, each from the data that is there; null where there is none.
import {chart, element, section} from "./dom.js";
import {counted, data, exact, number, percent} from "./format.js";
import {dataTable} from "./table.js";

const figures = (name) => data.figures.filter((f) => f.section === name);
const seedColumn = data.seeds > 1 ? [{title: "seed", value: "seed", exact: true}] : [];
const nameColumns = [{title: "workload", value: "workload", text: true}, {title: "scheme", value: "scheme", text: true}, ...seedColumn];
const compared = data.runs.filter((r) => r.compared);
const axisName = (axis) => (axis.unit ? `${axis.name} (${axis.unit})` : axis.name);

/** The numbers of a figure. */
function figureTable(f) {
  const has = (key) => f.rows.some((r) => r[key] !== undefined);
  return dataTable(f.title, [
    {title: f.group_name, value: (r) => (f.numbers && !r.part && f.kind === "lines" ? r.x : r.group), place: true, text: !(f.numbers && f.kind === "lines")},
    {title: f.series_name, value: "series", text: true}, ...(has("part") ? [{title: "part", value: "part", text: true}] : []),
    ...(f.kind === "dots" ? [{title: f.x_label, value: "x"}] : []),
    {title: f.unit ? `${f.y_label} (${f.unit})` : f.y_label, value: "value", signed: f.unit === "%"},
    ...(has("low") ? [{title: "low (95 %)", value: "low", signed: true}, {title: "high (95 %)", value: "high", signed: true}] : []),
    {title: "runs", value: "runs", exact: true}], f.rows);
}

/** Charts and the table of their runs. In a sweep they are of one place on its axes, which is chosen above them. */
function placed(name, table) {
  const at = [...data.at], place = element("div");
  const here = (row) => !row.at || row.at.every((v, i) => v === at[i]);
  // Paper has no pickers: the captions say the place there.
  const shown = () => data.axes.map((axis, i) => [axis.name, axis.values[at[i]], axis.unit].filter(Boolean).join(" ")).join(", ");
  const fill = () => {
    place.querySelectorAll("figure").forEach((f) => f.forget());
    place.replaceChildren(...figures(name).map((f) => chart({...f, rows: f.rows.filter(here)})), ...table(compared.filter(here)));
    if (at.length) place.querySelectorAll("figcaption").forEach((c) => c.append(element("span", {class: "place"}, `; shown at ${shown()}`)));
  };
  const pickers = data.axes.map((axis, i) => {
    const select = element("select", {"aria-label": axis.name}, ...axis.values.map((v, k) => element("option", {value: k}, v)));
    select.value = at[i];
    select.addEventListener("change", () => {
      at[i] = Number(select.value);
      fill();
      place.querySelectorAll("figure").forEach((f) => f.redraw());
    });
    return element("label", {class: "picker"}, `${axis.name} `, select, axis.unit ? ` ${axis.unit}` : "");
  });
  fill();
  return [pickers.length ? element("p", {class: "pickers"}, ...pickers) : null, place];
}

const MOST_ITEMS = 20;

export function headline() {
  const items = data.headline.map((h) => element("li", {"data-scheme": h.name}, element("strong", {}, h.name), ": IPC ",
    element("b", {}, percent(h.ipc, h.ipc_half)), ", off-chip requests ", element("b", {}, percent(h.off_chip, h.off_chip_half)),
    ` (${counted(h.runs, "run")}, ${counted(h.workloads, "workload")})`));
  if (items.length > MOST_ITEMS) items.splice(MOST_ITEMS, Infinity, element("li", {}, `${counted(items.length - MOST_ITEMS, "further place")}: see Sensitivity`));
  const integrity = data.integrity, bad = integrity.corrupt + integrity.wrong;
  const line = element("p", {class: bad || integrity.failed ? "integrity bad" : "integrity good", id: "integrity"},
    bad ? `Data integrity: ${counted(integrity.corrupt, "run")} with corrupt data, ${integrity.wrong} with a wrong result, of ${integrity.runs}.`
      : `Data integrity: all ${exact(integrity.runs)} runs clean; ${exact(integrity.checked)} sectors compared byte by byte with the golden memory, every result verified.`,
    integrity.failed ? ` ${counted(integrity.failed, "point")} of the sweep failed.` : "",
    integrity.missing ? ` ${counted(integrity.missing, "point")} missing.` : "");
  return section("headline", "Result",
    items.length ? element("p", {class: "lead"}, `Geometric means against ${data.base}:`) : null,
    element("ul", {class: "headline"}, ...items), line,
    data.unmatched ? element("p", {}, `${counted(data.unmatched, "run")} without a ${data.base} run to compare with: left out.`) : null);
}

export function ipcSection() {
  if (!figures("ipc").length) return null;
  return section("ipc", "Instructions per cycle", placed("ipc", (runs) => [dataTable("IPC", [...nameColumns,
    {title: "cycles", value: "cycles", exact: true}, {title: "IPC (warp instructions per cycle)", value: "ipc"},
    {title: "change (%)", value: "ipc_change", signed: true}], runs)]));
}

const KINDS = [["write", "write"], ["data-read", "data_read"], ["read-only", "read_only"], ["metadata", "metadata_read", "metadata_write"],
  ["dedup-read", "dedup_read"], ["verify-read", "verify_read"]];

export function requestSection() {
  if (!figures("requests").length) return null;
  const count = (r, keys) => keys.reduce((sum, key) => sum + r.requests[key], 0);
  const used = KINDS.filter(([, ...keys]) => compared.some((r) => count(r, keys) > 0));
  return section("requests", "Off-chip requests", placed("requests", (runs) => [dataTable("Off-chip requests in 32 bytes", [...nameColumns,
    ...used.map(([title, ...keys]) => ({title, value: (r) => count(r, keys), exact: true})), {title: "total", value: (r) => r.requests.total, exact: true},
    {title: "change (%)", value: "off_chip_change", signed: true}], runs)]));
}

const COMPONENTS = [["DRAM", "dram"], ["controller", "controller"], ["L2", "l2"], ["L1", "l1"], ["NoC", "noc"]];

export function energySection() {
  if (!figures("energy").length) return data.notes.energy ? section("energy", "Energy", element("p", {class: "note"}, data.notes.energy)) : null;
  const total = (energy) => Object.values(energy).reduce((a, b) => a + b, 0);
  return section("energy", "Energy", placed("energy", (runs) => [dataTable("Energy, leakage included", [...nameColumns,
    ...COMPONENTS.map(([name, key]) => ({title: `${name} (µJ)`, value: (r) => r.energy[key] / 1000})), {title: "total (µJ)", value: (r) => total(r.energy) / 1000},
    {title: "change (%)", value: "energy_change", signed: true}], runs.filter((r) => r.energy))]),
    data.notes.energy ? element("p", {class: "note"}, data.notes.energy) : null);
}

/** Charts with their numbers. */
export function figureSection(name, title) {
  const all = figures(name);
  return all.length ? section(name, title, all.flatMap((f) => [chart(f), figureTable(f)])) : null;
}

export function pointSection() {
  const all = figures("points");
  if (!all.length) return null;
  return section("points", "All points", all.map(chart), dataTable("All points", [...nameColumns,
    ...data.axes.map((axis, i) => ({title: axisName(axis), value: (r) => axis.values[r.at[i]], text: true})),
    {title: "cycles", value: "cycles", exact: true}, {title: "IPC", value: "ipc"}, {title: "off-chip (32 B)", value: (r) => r.requests.total, exact: true},
    {title: "IPC, change (%)", value: "ipc_change", signed: true}, {title: "off-chip, change (%)", value: "off_chip_change", signed: true}], compared));
}

/** Reasons, with the command that shows them; those that several rows have are said once, under the table: "note 1". */
function reasons(rows) {
  const reason = (r) => (r.why && r.evidence && r.answer === "runs" ? `${r.why}. Shown by: ${r.evidence}` : r.why);
  const count = new Map();
  for (const r of rows) if (r.why) count.set(reason(r), (count.get(reason(r)) ?? 0) + 1);
  const shared = [...count].filter(([, n]) => n > 1).map(([why]) => why);
  return {column: {title: "why", value: (r) => (shared.includes(reason(r)) ? `note ${shared.indexOf(reason(r)) + 1}` : reason(r)), text: true, long: true},
    list: shared.length ? element("ol", {class: "note"}, ...shared.map((why) => element("li", {}, why))) : null};
}

const noiseColumns = [
  {title: "±", value: (f) => f.noise ?? null}, {title: "median", value: (f) => f.median ?? null},
  {title: "agree", value: (f) => (f.ours === null || !f.workloads ? "" : `${f.agree} of ${Object.keys(f.workloads).length}`), text: true}];

const claimColumns = (why, more = []) => [
  {title: "claim", value: "id", text: true}, {title: "what", value: (f) => `${f.what}, ${f.scope}`, text: true, long: true}, {title: "where", value: "where", text: true},
  {title: "unit", value: "unit", text: true}, {title: "paper", value: "paper"}, {title: "ours", value: "ours"}, ...more,
  {title: "ours / paper", value: (f) => (f.paper > 0 && f.ours > 0 ? f.ours / f.paper : null)},
  {title: "verdict", value: "verdict", text: true, mark: (f) => f.verdict}, why];

export function areaSection() {
  if (!data.areas.length) return null;
  const why = reasons(data.findings);
  return section("area", "Area", figures("area").map(chart),
    dataTable("Area", [
      {title: "scheme", value: "scheme", text: true}, {title: "machine", value: "profile", text: true},
      {title: "logic (mm²)", value: "logic_mm2"}, {title: "storage (mm²)", value: "storage_mm2"},
      {title: "of these additions to the paper (mm²)", value: "addition_mm2"}, {title: "L2 (mm²)", value: "l2_mm2"},
      {title: "share of the L2 (%)", value: (a) => (a.l2_mm2 ? (100 * (a.logic_mm2 + a.storage_mm2)) / a.l2_mm2 : null)}], data.areas),
    data.notes.area.length ? element("p", {class: "note"}, `${data.notes.area.join(". ")}.`) : null,
    data.findings.length ? dataTable("Hardware figures against the papers", claimColumns(why.column), data.findings) : null, why.list);
}

const NO_RUNS = "no runs",
  VERDICTS = ["reproduced", "stronger", "weaker", "marginal", "no effect", "opposite", "not testable here", "not stated"];

export function claimSection() {
  const hardware = new Set(data.findings.map((f) => f.id)), claims = data.claims.filter((c) => !hardware.has(c.id));
  const here = claims.filter((c) => c.verdict !== NO_RUNS), why = reasons(here);
  if (!here.length) return null;
  const counts = VERDICTS.map((v) => [v, here.filter((c) => c.verdict === v).length]).filter(([, n]) => n);
  const single = here.some((c) => c.repetitions < 2);
  return section("claims", "Claims of the papers",
    element("p", {}, `${counts.map(([name, n]) => `${n} ${name}`).join(", ")}. ${data.verdicts}. `,
      single ? `Figures of one repetition have no measured noise: a change of less than ${data.default_noise} points counts as none. ` : "",
      here.length < claims.length ? `${counted(claims.length - here.length, "further claim")} of these papers: ${NO_RUNS}.` : ""),
    dataTable("Claims", claimColumns(why.column, noiseColumns), here), why.list);
}

export function failureSection() {
  if (!data.failures.length) return null;
  return section("failures", "Failed points", dataTable("Failed points", [
    {title: "point", value: "point", text: true}, {title: "error", value: "error", text: true}], data.failures));
}

export function blockSection() {
  if (!data.blocks.length) return null;
  return section("blocks", "Hardware blocks",
    element("p", {}, "Of these schemes, synthesized from the RTL of this version, OSU 0.18 µm; GE = NAND2 equivalents, FO4 = path over the library's fan-out-of-4 delay; RAM bits are outside the gates."),
    dataTable("Blocks", [
      {title: "block", value: "block", text: true}, {title: "module", value: "module", text: true}, {title: "point", value: "point", text: true},
      {title: "gates (GE)", value: (b) => Math.round(b.ge), exact: true}, {title: "registers (bits)", value: "registers", exact: true},
      {title: "RAM (bits)", value: "storage_bits", exact: true}, {title: "path (ns)", value: "ns"}, {title: "path (FO4)", value: "fo4"}], data.blocks));
}

export function provenanceSection() {
  const p = data.provenance;
  const line = (name, value) => (value ? [element("dt", {}, name), element("dd", {}, value)] : []);
  return section("provenance", "How this was made", element("dl", {},
    ...line("command", p.command), ...line("runs", p.sources.map((s) => `${s.file}: ${s.made}`).join("\n")), ...line("results by", p.result_versions.join(", ")), ...line("report by", p.version),
    ...line("seeds", p.seeds.join(", ")), ...line("machines", p.profiles.join(", ")), ...line("inputs", p.inputs.join("\n")), ...line("colours", p.palette)),
    p.sweep ? element("details", {class: "data"}, element("summary", {}, "sweep file"), element("pre", {}, p.sweep)) : null);
}
