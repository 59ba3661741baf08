// The sections of the report, each from the data that is there; null where there is none.
import {cloud, groupedBars, heatMap, lines, ratios, stackedBars} from "./charts.js";
import {chart, dataTable, element, section} from "./dom.js";
import {COMPONENTS, counted, geomean, KINDS, number, numeric, PALETTE, percent} from "./format.js";

const BASELINE = "baseline";

/** Runs with what they are compared with: `base`, the first scheme of the same workload, seed, profile and coordinates.
 * A sweep of one scheme is compared with its own run at the first value of every axis; `baseName` says so. */
export function compare(data) {
  const schemes = [...new Set(data.runs.map((r) => r.scheme))];
  const alone = schemes.length === 1 && data.axes.length > 0;
  const key = (r) => [r.workload, r.profile, r.seed, ...(alone ? [] : r.at)].join("\u0001");
  const base = schemes.includes(BASELINE) ? BASELINE : schemes[0];
  const isBase = (r) => r.scheme === base && (!alone || r.at.every((v) => v === 0));
  const bases = new Map(data.runs.filter(isBase).map((r) => [key(r), r]));
  const baseName = alone ? `${base} at ${data.axes.map((a) => `${a.name} ${a.values[0]}`).join(", ")}` : base;
  const runs = [];
  for (const r of data.runs) {
    const b = bases.get(key(r));
    if (b) runs.push({...r, base: b, ipcRatio: r.ipc / b.ipc, trafficRatio: b.requests.total ? r.requests.total / b.requests.total : NaN});
  }
  const count = (get) => new Set(runs.map(get)).size;
  return {base, baseName, alone, schemes, runs, seeds: count((r) => r.seed), profiles: count((r) => r.profile), colors: schemes.map((_, i) => PALETTE[i % PALETTE.length]), unmatched: data.runs.length - runs.length};
}

/** The runs at a place on the axes. */
const chosen = (compared, at) => compared.runs.filter((r) => r.at.every((v, i) => v === at[i]));

/** For charts, runs that differ in their seed alone: {group, name, runs}. */
function overSeeds(compared, runs) {
  const groups = new Map();
  for (const r of runs) {
    const key = `${r.workload}\u0001${r.scheme}\u0001${r.profile}`;
    if (!groups.has(key)) groups.set(key, {group: label(compared, r), name: r.scheme, runs: []});
    groups.get(key).runs.push(r);
  }
  return [...groups.values()];
}

/** Percent of the base in each part: the geometric mean over seeds of the totals, shared out by the parts' mean shares.
 * `figures(run)` gives the parts' values. */
function stacked(groups, parts, figures) {
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  return groups.flatMap(({group, name, runs}) => {
    const all = runs.map((r) => ({mine: figures(r), base: sum(figures(r.base))})).filter((r) => sum(r.mine) > 0 && r.base > 0);
    const whole = all.length ? 100 * geomean(all.map((r) => sum(r.mine) / r.base)) : 0;
    return parts.map((p, i) => ({group, name, part: p.name, value: all.length ? (whole * sum(all.map((r) => r.mine[i] / sum(r.mine)))) / all.length : 0}));
  });
}

const meanOverSeeds = (compared) => (compared.seeds > 1 ? `, geometric mean over ${compared.seeds} seeds` : "");
const seedColumn = (compared) => (compared.seeds > 1 ? [{title: "seed", value: "seed"}] : []);

const label = (compared, r) => (compared.profiles > 1 ? `${r.workload} (${r.profile})` : r.workload);

/** A part of the page that depends on the chosen place on the axes of the sweep. */
export function placed(data, build) {
  const at = data.axes.map((axis) => Math.floor((axis.values.length - 1) / 2));
  const place = element("div");
  // Paper has no pickers: the captions say the place there.
  const shown = () => data.axes.map((axis, i) => [axis.name, axis.values[at[i]], axis.unit].filter(Boolean).join(" ")).join(", ");
  const fill = () => {
    place.replaceChildren(...build(at));
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

/** Several combinations of a sweep can be one simulation. */
const simulations = (runs) => new Set(runs.map((r) => r.simulation)).size;

const MOST_ITEMS = 20;

/** The runs of a sweep of one scheme at every place but the first: [name, runs]. */
function furtherPlaces(data, compared) {
  const places = new Map();
  for (const r of compared.runs) {
    if (r.at.every((v) => v === 0)) continue;
    const name = `${compared.base} at ${data.axes.map((a, i) => `${a.name} ${a.values[r.at[i]]}`).join(", ")}`;
    if (!places.has(name)) places.set(name, []);
    places.get(name).push(r);
  }
  return [...places];
}

export function headline(data, compared) {
  const groups = compared.alone ? furtherPlaces(data, compared)
    : compared.schemes.filter((s) => s !== compared.base).map((scheme) => [scheme, compared.runs.filter((r) => r.scheme === scheme)]);
  const items = groups.map(([scheme, mine]) => {
    const ipc = geomean(mine.map((r) => r.ipcRatio)), traffic = geomean(mine.map((r) => r.trafficRatio));
    return element("li", {"data-scheme": scheme}, element("strong", {}, scheme), ` against ${compared.baseName}: IPC `,
      element("b", {}, percent(100 * (ipc - 1))), ", off-chip requests ", element("b", {}, percent(100 * (traffic - 1))),
      ` (geometric means of ${counted(simulations(mine), "run")}, ${counted(new Set(mine.map((r) => r.workload)).size, "workload")})`);
  });
  if (items.length > MOST_ITEMS) items.splice(MOST_ITEMS, Infinity, element("li", {}, `${counted(items.length - MOST_ITEMS, "further place")}: see Sensitivity`));
  const integrity = data.integrity;
  const bad = integrity.corrupt + integrity.wrong;
  const line = element("p", {class: bad || integrity.failed ? "integrity bad" : "integrity good", id: "integrity"},
    bad ? `Data integrity: ${counted(integrity.corrupt, "run")} with corrupt data, ${integrity.wrong} with a wrong result, of ${integrity.runs}.`
      : `Data integrity: all ${number(integrity.runs)} runs clean; ${number(integrity.checked)} sectors compared byte by byte with the golden memory, every result verified.`,
    integrity.failed ? ` ${counted(integrity.failed, "point")} of the sweep failed.` : "",
    integrity.missing ? ` ${counted(integrity.missing, "point")} missing.` : "");
  return section("headline", "Result", element("ul", {class: "headline"}, ...items), line,
    compared.unmatched ? element("p", {}, `${counted(compared.unmatched, "run")} without a ${compared.baseName} run to compare with: left out.`) : null);
}

export function ipcSection(data, compared) {
  return section("ipc", "Instructions per cycle", ...placed(data, (at) => {
    const runs = chosen(compared, at);
    const rows = overSeeds(compared, runs).map((g) => ({...g, value: geomean(g.runs.map((r) => r.ipcRatio))}));
    return [
      chart(`IPC relative to ${compared.baseName} (1 = ${compared.baseName})${meanOverSeeds(compared)}`,
        (width) => groupedBars(rows, width, {label: `IPC / IPC of ${compared.baseName} →`, base: 1, names: compared.schemes, color: compared.colors})),
      dataTable("IPC", [
        {title: "workload", value: (r) => label(compared, r), text: true}, {title: "scheme", value: "scheme", text: true},
        ...seedColumn(compared), {title: "cycles", value: "cycles"}, {title: "IPC (warp instructions per cycle)", value: "ipc"},
        {title: `relative to ${compared.baseName}`, value: "ipcRatio"}], runs),
    ];
  }));
}

const kinds = (requests) => ({...requests, metadata: requests.metadata_read + requests.metadata_write});

export function requestSection(data, compared) {
  const used = KINDS.filter((k) => compared.runs.some((r) => kinds(r.requests)[k.key] > 0));
  return section("requests", "Off-chip requests", ...placed(data, (at) => {
    const runs = chosen(compared, at);
    const rows = stacked(overSeeds(compared, runs), used, (r) => used.map((k) => kinds(r.requests)[k.key]));
    return [
      chart(`Requests of 32 bytes to DRAM, in percent of all of ${compared.baseName}${meanOverSeeds(compared)}`,
        (width) => stackedBars(rows, width, {label: `% of ${compared.baseName}'s requests →`, parts: used, names: compared.schemes})),
      dataTable("Off-chip requests", [
        {title: "workload", value: (r) => label(compared, r), text: true}, {title: "scheme", value: "scheme", text: true},
        ...seedColumn(compared), ...used.map((k) => ({title: k.name, value: (r) => kinds(r.requests)[k.key]})),
        {title: "total (32 B)", value: (r) => r.requests.total},
        {title: `relative to ${compared.baseName}`, value: "trafficRatio"}], runs),
    ];
  }));
}

export function energySection(data, compared) {
  if (!compared.runs.some((r) => r.energy)) {
    return data.notes.energy ? section("energy", "Energy", element("p", {}, data.notes.energy)) : null;
  }
  const total = (e) => COMPONENTS.reduce((sum, c) => sum + e[c.key], 0);
  return section("energy", "Energy", ...placed(data, (at) => {
    const runs = chosen(compared, at).filter((r) => r.energy && r.base.energy);
    const rows = stacked(overSeeds(compared, runs), COMPONENTS, (r) => COMPONENTS.map((c) => r.energy[c.key]));
    return [
      chart(`Energy by component, leakage included, in percent of ${compared.baseName}${meanOverSeeds(compared)}`,
        (width) => stackedBars(rows, width, {label: `% of ${compared.baseName}'s energy →`, parts: COMPONENTS, names: compared.schemes})),
      dataTable("Energy", [
        {title: "workload", value: (r) => label(compared, r), text: true}, {title: "scheme", value: "scheme", text: true},
        ...seedColumn(compared), ...COMPONENTS.map((c) => ({title: `${c.name} (µJ)`, value: (r) => r.energy[c.key] / 1000})),
        {title: "total (µJ)", value: (r) => total(r.energy) / 1000},
        {title: "relative", value: (r) => total(r.energy) / total(r.base.energy)}], runs),
      data.notes.energy ? element("p", {class: "note"}, data.notes.energy) : null,
    ].filter(Boolean);
  }));
}

const VERDICTS = [
  {name: "within", color: "#009e73"}, {name: "direction", color: "#e69f00"}, {name: "contradicts", color: "#d55e00"},
  {name: "not modelled", color: "#888888"}, {name: "not stated", color: "#56b4e9"},
  {name: "not in these results", color: "#888888"}];

export function areaSection(data) {
  if (!data.areas.length) return null;
  const parts = [{name: "logic", color: "#0072b2"}, {name: "storage", color: "#e69f00"}];
  const rows = data.areas.flatMap((a) => [
    {group: a.profile, name: a.scheme, part: "logic", value: a.logic_mm2}, {group: a.profile, name: a.scheme, part: "storage", value: a.storage_mm2}]);
  const compared = data.findings.filter((f) => f.paper > 0 && f.ours > 0)
    .map((f) => ({name: f.id, ratio: f.ours / f.paper, verdict: f.verdict}));
  return section("area", "Area",
    chart(`Area of the hardware at ${data.areas[0].node_nm} nm`, (width) => stackedBars(rows, width,
      {label: "mm² →", parts, names: [...new Set(data.areas.map((a) => a.scheme))]})),
    dataTable("Area", [
      {title: "scheme", value: "scheme", text: true}, {title: "machine", value: "profile", text: true},
      {title: "logic (mm²)", value: "logic_mm2", places: 4}, {title: "storage (mm²)", value: "storage_mm2", places: 4},
      {title: "of these additions to the paper (mm²)", value: "addition_mm2", places: 4},
      {title: "L2 (mm²)", value: "l2_mm2", places: 2},
      {title: "share of the L2 (%)", value: (a) => (a.l2_mm2 ? (100 * (a.logic_mm2 + a.storage_mm2)) / a.l2_mm2 : null), places: 2}], data.areas),
    data.notes.area.length ? element("p", {class: "note"}, `${data.notes.area.join(". ")}.`) : null,
    compared.length ? chart("Hardware figures: ours over the paper's (1 = equal)", (width) => ratios(compared, width,
      {label: "ours / paper →", colors: VERDICTS.filter((v) => compared.some((c) => c.verdict === v.name))})) : null,
    compared.length ? dataTable("Hardware figures against the papers", claimColumns, data.findings) : null);
}

const claimColumns = [
  {title: "claim", value: "id", text: true}, {title: "what", value: "what", text: true, long: true}, {title: "where", value: "where", text: true},
  {title: "unit", value: "unit", text: true}, {title: "paper", value: "paper"}, {title: "ours", value: "ours"},
  {title: "verdict", value: "verdict", text: true, mark: (f) => f.verdict}, {title: "why", value: "why", text: true, long: true}];

export function claimSection(data) {
  if (!data.claims.length) return null;
  const counts = VERDICTS.map((v) => [v.name, data.claims.filter((c) => c.verdict === v.name).length]).filter(([, n]) => n);
  return section("claims", "Claims of the papers",
    element("p", {}, counts.map(([name, n]) => `${n} ${name}`).join(", "), ". Within: 20 % or 3 points, or a bound that holds; direction: further off, but what the paper concludes holds; contradicts: neither."),
    dataTable("Claims", claimColumns, data.claims));
}

const shorten = (axis) => (axis.unit ? `${axis.name} (${axis.unit})` : axis.name);

const kindRatio = (kind) => (r) => (r.base.requests[kind] ? r.requests[kind] / r.base.requests[kind] : NaN);
// The two kinds that caches and buffers of a scheme are for are shown where they change along the axis.
const METRICS = [
  {what: "IPC", get: (r) => r.ipcRatio}, {what: "off-chip requests", get: (r) => r.trafficRatio},
  {what: "write requests", get: kindRatio("write"), onlyChanging: true},
  {what: "read-only requests", get: kindRatio("read_only"), onlyChanging: true}];

const changes = (rows) => [...new Set(rows.map((r) => r.line))].some((line) => {
  const values = rows.filter((r) => r.line === line).map((r) => r.value);
  return Math.max(...values) - Math.min(...values) > 0.001;
});

function sensitivityOf(data, compared, index) {
  const axis = data.axes[index];
  const workloads = [...new Set(compared.runs.map((r) => r.workload))];
  const numbers = numeric(axis.values);
  const x = (v) => (numbers ? numbers[v] : axis.values[v]);
  const out = [];
  for (const scheme of compared.schemes) {
    const mine = compared.runs.filter((r) => r.scheme === scheme);
    if (scheme === compared.base && compared.schemes.length > 1) continue;
    for (const {what, get, onlyChanging} of METRICS) {
      const rows = [];
      for (const workload of workloads) {
        for (let v = 0; v < axis.values.length; ++v) {
          const values = mine.filter((r) => r.workload === workload && r.at[index] === v).map(get).filter(Number.isFinite);
          if (values.length) rows.push({x: x(v), line: workload, value: geomean(values), runs: values.length});
        }
      }
      if (new Set(rows.map((r) => r.x)).size < 2 || (onlyChanging && !changes(rows))) continue;
      out.push(
        chart(`${scheme}: ${what} over ${shorten(axis)}, relative to ${compared.baseName}`, (width) => lines(rows, width,
          {label: `↑ ${what}, relative`, xLabel: `${shorten(axis)} →`, numbers, domain: axis.values, names: workloads})),
        dataTable(`${scheme}: ${what} over ${axis.name}`, [
          {title: "workload", value: "line", text: true}, {title: shorten(axis), value: "x"},
          {title: "relative", value: "value"}, {title: "runs (geometric mean; 0 where one is 0)", value: "runs"}], rows));
    }
  }
  return out;
}

function heatMaps(data, compared) {
  const out = [];
  for (let a = 0; a < data.axes.length; ++a) {
    for (let b = a + 1; b < data.axes.length; ++b) {
      const [first, second] = [data.axes[a], data.axes[b]];
      for (const scheme of compared.schemes) {
        if (scheme === compared.base && compared.schemes.length > 1) continue;
        const cells = new Map();
        for (const r of compared.runs) {
          if (r.scheme !== scheme) continue;
          const key = `${r.at[a]} ${r.at[b]}`;
          if (!cells.has(key)) cells.set(key, {x: first.values[r.at[a]], y: second.values[r.at[b]], all: []});
          cells.get(key).all.push(r.ipcRatio);
        }
        const rows = [...cells.values()].map((c) => ({x: c.x, y: c.y, value: geomean(c.all), runs: c.all.length}));
        out.push(
          chart(`${scheme}: IPC relative to ${compared.baseName}, over ${first.name} and ${second.name} (geometric mean)`,
            (width) => heatMap(rows, width, {xLabel: shorten(first), yLabel: shorten(second), label: "IPC, relative",
              xDomain: first.values, yDomain: second.values})),
          dataTable(`${scheme}: IPC over ${first.name} and ${second.name}`, [
            {title: shorten(first), value: "x", text: true}, {title: shorten(second), value: "y", text: true},
            {title: "relative IPC", value: "value"}, {title: "runs", value: "runs"}], rows));
      }
    }
  }
  return out;
}

export function sensitivitySection(data, compared) {
  if (!data.axes.length) return null;
  const parts = data.axes.flatMap((_, i) => sensitivityOf(data, compared, i));
  return section("sensitivity", "Sensitivity", ...parts, ...heatMaps(data, compared));
}

export function pointSection(data, compared) {
  if (!data.axes.length && compared.seeds < 2) return null;
  const others = compared.runs.filter((r) => r.scheme !== compared.base || compared.schemes.length === 1);
  const rows = others.map((r) => ({x: 100 * (r.trafficRatio - 1), y: 100 * (r.ipcRatio - 1), name: r.scheme}))
    .filter((r) => Number.isFinite(r.x) && Number.isFinite(r.y));
  const names = compared.schemes.filter((s) => rows.some((r) => r.name === s));
  return section("points", "All points",
    chart(`Change of off-chip requests and of IPC, each point against ${compared.baseName}`, (width) => cloud(rows, width,
      {xLabel: "off-chip requests (%) →", yLabel: "↑ IPC (%)", names, color: names.map((n) => compared.colors[compared.schemes.indexOf(n)])})),
    dataTable("All points", [
      {title: "workload", value: "workload", text: true}, {title: "scheme", value: "scheme", text: true}, {title: "seed", value: "seed"},
      ...data.axes.map((axis, i) => ({title: shorten(axis), value: (r) => axis.values[r.at[i]]})),
      {title: "cycles", value: "cycles"}, {title: "IPC", value: "ipc"}, {title: "off-chip (32 B)", value: (r) => r.requests.total},
      {title: "IPC, relative", value: "ipcRatio"}, {title: "off-chip, relative", value: "trafficRatio"}], compared.runs));
}

export function staircaseSection(data) {
  if (!data.staircases.length) return null;
  const names = data.staircases.map((s) => s.machine);
  const of = (part) => data.staircases.flatMap((s) => s[part].map((p) => ({...p, line: s.machine, x: p.kib, value: p.cycles})));
  const rows = of("measured"), markers = of("references");
  return section("staircase", "Latency of dependent loads",
    chart("Core cycles per dependent load over the footprint; crosses: published figures", (width) => lines(rows, width,
      {label: "↑ core cycles", xLabel: "KiB →", numbers: [...new Set(rows.map((r) => r.x))], names, markers})),
    dataTable("Latency", [
      {title: "machine", value: "line", text: true}, {title: "footprint (KiB)", value: "x"}, {title: "core cycles", value: "value"}], rows),
    markers.length ? dataTable("Published figures", [
      {title: "machine", value: "line", text: true}, {title: "what", value: "what", text: true}, {title: "footprint (KiB)", value: "x"},
      {title: "core cycles", value: "value"}, {title: "source", value: "source", text: true, long: true}], markers) : null);
}

export function failureSection(data) {
  if (!data.failures.length) return null;
  return section("failures", "Failed points", dataTable("Failed points", [
    {title: "point", value: "point", text: true}, {title: "error", value: "error", text: true}], data.failures));
}

export function blockSection(data) {
  return section("blocks", "Hardware blocks",
    element("p", {}, "Synthesized from the RTL of this version, OSU 0.18 µm; GE = NAND2 equivalents, FO4 = path over the library's fan-out-of-4 delay; RAM bits are outside the gates."),
    dataTable("Blocks", [
      {title: "block", value: "block", text: true}, {title: "module", value: "module", text: true}, {title: "point", value: "point", text: true},
      {title: "gates (GE)", value: (b) => Math.round(b.ge)}, {title: "registers (bits)", value: "registers"}, {title: "RAM (bits)", value: "storage_bits"},
      {title: "path (ns)", value: "ns", places: 2}, {title: "path (FO4)", value: "fo4", places: 1}], data.blocks));
}

export function provenanceSection(data) {
  const p = data.provenance;
  const line = (name, value) => (value ? [element("dt", {}, name), element("dd", {}, value)] : []);
  return section("provenance", "How this was made", element("dl", {},
    ...line("command", p.command), ...line("runs", p.sources.map((s) => `${s.file}: ${s.made}`).join("\n")), ...line("results by", p.result_versions.join(", ")), ...line("report by", p.version),
    ...line("seeds", p.seeds.join(", ")), ...line("machines", p.profiles.join(", ")), ...line("inputs", p.inputs.join("\n"))),
    p.sweep ? element("details", {class: "data"}, element("summary", {}, "sweep file"), element("pre", {}, p.sweep)) : null);
}
