"""A module on an FPGA: cells by Yosys, and speed on an iCE40 HX8K by nextpnr."""

import re
import shutil

import block_tables
import flow
from flow import FlowError

RECORDS = flow.ROOT / "synth" / "fpga"
CHIPS = {  # {kind: cells that count, with how many of it each is}
    "ice40": {"luts": {"SB_LUT4": 1}, "registers": {"SB_DFF": 1}, "rams": {"SB_RAM40_4K": 1}},
    "ecp5": {"luts": {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 4}, "registers": {"TRELLIS_FF": 1}, "rams": {"DP16KD": 1}},
    "xilinx": {"luts": {"LUT": 1, "RAM32M": 4, "RAM64M": 4, "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "SRL": 1},
               "registers": {"FD": 1}, "rams": {"RAMB18": 1, "RAMB36": 2}},
}
COMMAND = {"ice40": "synth_ice40", "ecp5": "synth_ecp5", "xilinx": "synth_xilinx -family xc7"}
HX8K = {"luts": 7680, "registers": 7680, "rams": 32}


def cells(stat):
    """{type: number} of Yosys' `stat`, of the last module it lists."""
    found = {}
    for line in stat.splitlines():
        if "Number of cells:" in line:
            found = {}
        elif match := re.fullmatch(r"\s+([A-Z\\$][\w$\\]*)\s+(\d+)\s*", line):
            found[match[1]] = int(match[2])
    return found


def counted(chip, found):
    """LUTs, registers and RAM blocks; the longest name of CHIPS that a cell's type starts with decides."""
    total = dict.fromkeys(CHIPS[chip], 0)
    for kind, number in found.items():
        fits = [(len(prefix), what, each) for what, names in CHIPS[chip].items() for prefix, each in names.items()
                if kind.startswith(prefix)]
        if fits:
            _, what, each = max(fits)
            total[what] += number * each
    return total


def megahertz(log):
    """The last figure of nextpnr for the clock: after routing."""
    found = re.findall(r"Max frequency for clock\s+'[^']*':\s+([\d.]+) MHz", log)
    return float(found[-1]) if found else None


def wrapper(point):
    """A module with two data pins: inputs come from a chain of registers, outputs go to one."""
    path = next(f for f in flow.sources(point.block, point.module) if f.stem == point.module)
    parameters, ports = block_tables.header(path)
    text = re.sub(r"//[^\n]*", "", path.read_text())
    ranges = {name: high for high, name in re.findall(r"logic\s*(\[[^\]]*\])?\s*(\w+)\s*(?=[,\n)])", text.split(");")[0])}
    lines = ["module wrapped (input wire clk_i, input wire rst_ni, input wire in_i, input wire load_i, output wire out_o);"]
    lines += [f"  localparam [31:0] {n} = {point.params.get(n, default)};" for n, default, _ in parameters]
    inputs = [n for n, direction, *_ in ports if direction == "in" and n not in ("clk_i", "rst_ni")]
    outputs = [n for n, direction, *_ in ports if direction == "out"]
    lines += [f"  wire {ranges.get(n, '')} {n};" for n in inputs + outputs]
    wide = lambda n: f"({ranges[n][1:-1].rsplit(':', 1)[0]} + 1)" if ranges.get(n) else "1"  # noqa: E731
    lines += [f"  localparam In = {' + '.join(map(wide, inputs))};", f"  localparam Out = {' + '.join(map(wide, outputs))};"]
    lines += ["  reg [In-1:0] in_q;", "  reg [Out-1:0] out_q, show_q;", "  reg reset_q;", "  wire [Out-1:0] all;",
              f"  assign {{{', '.join(inputs)}}} = in_q;", f"  assign all = {{{', '.join(outputs)}}};",
              "  always @(posedge clk_i) begin", "    reset_q <= rst_ni;", "    in_q <= {in_q, in_i};", "    show_q <= all;",
              "    out_q <= load_i ? show_q : {out_q, 1'b0};", "  end", "  assign out_o = out_q[Out-1];"]
    sets = ", ".join(f".{n}({v})" for n, v in point.params.items())
    named = [f".{n}({'reset_q' if n == 'rst_ni' else n})" for n, *_ in ports]
    lines += [f"  {point.module} {f'#({sets}) ' if sets else ''}dut ({', '.join(named)});", "endmodule", ""]
    return "\n".join(lines)


def run_yosys(work, name, script, seconds):
    """Output of Yosys; None when it took too long."""
    work.mkdir(parents=True, exist_ok=True)
    (work / f"{name}.ys").write_text("\n".join(script) + "\n")
    result = flow.run(["yosys", "-s", work / f"{name}.ys"], 30 * seconds, cwd=flow.ROOT, log=work / f"{name}.log",
                      cpu_limit=seconds)
    if result.timed_out:
        return None
    if result.code:
        raise FlowError(f"{flow.shown(work)}: {flow.last_error(result.output)}")
    return result.output


def measure(point, seconds):
    """{chip: figures, or {"skipped": why}}."""
    work = flow.BUILD / "fpga" / point.block / f"{point.module}_{point.name}"
    read = [f"read_verilog -sv -Irtl {f.relative_to(flow.ROOT)}" for f in flow.sources(point.block, point.module)]
    entry = {"module": point.module, "point": point.name, "params": point.params}
    late = {"skipped": f"more than {seconds} s of the processor"}
    for chip, command in COMMAND.items():
        output = run_yosys(work, chip, read + flow.elaborate(point.module, point.params) + [
            f"{command} -top {point.module}", f"tee -o {work / chip}.stat stat"], seconds)
        entry[chip] = counted(chip, cells((work / f"{chip}.stat").read_text())) if output is not None else late
    small = entry["ice40"]
    if "skipped" not in small and all(small[k] <= most for k, most in HX8K.items()) and shutil.which("nextpnr-ice40"):
        small["mhz"] = place(point, work, read, seconds)
    return entry


def place(point, work, read, seconds):
    """MHz on the HX8K; None when it does not fit with the registers around it, or has no path between registers."""
    (work / "wrapped.v").write_text(wrapper(point))
    output = run_yosys(work, "wrapped", read + [f"read_verilog -sv {work / 'wrapped.v'}",
                                                f"synth_ice40 -top wrapped -json {work / 'wrapped.json'}"], seconds)
    if output is None:
        return None
    result = flow.run(["nextpnr-ice40", "--hx8k", "--package", "ct256", "--json", work / "wrapped.json", "--seed", "1",
                       "--timing-allow-fail"], 30 * seconds, log=work / "nextpnr.log", cpu_limit=seconds)
    return megahertz(result.output) if result.code == 0 else None


def said(chip, figures):
    if "skipped" in figures:
        return f"{chip} {figures['skipped']}"
    text = f"{chip} {figures['luts']} LUTs {figures['registers']} FFs {figures['rams']} RAMs"
    return text + (f" {figures['mhz']:.0f} MHz" if figures.get("mhz") else "")


def rows():
    """Cells of the table: block, module, point, then LUTs, flip-flops and RAM blocks of each chip, MHz behind the first."""
    for block in flow.blocks():
        record = flow.read_json(RECORDS / f"{block}.json", {})
        for point in flow.points(block):
            entry = record.get(f"{point.module}@{point.name}")
            if entry is None:
                continue
            found = []
            for chip in CHIPS:
                figures = entry[chip]
                late = "skipped" in figures
                found += ["" if late else f"{figures[k]:,}" for k in ("luts", "registers", "rams")]
                if chip == "ice40":
                    found.append(figures["skipped"] if late else f"{figures['mhz']:.0f}" if figures.get("mhz") else
                                 "" if all(figures[k] <= most for k, most in HX8K.items()) else "too large")
            yield [block, f"`{point.module}`", point.name, *found]
