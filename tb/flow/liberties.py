"""Small stand-ins for cell libraries: a few cells under the true names of the libraries that synth/cells knows.

Areas are in the libraries' own proportions; delays are straight lines over slew and load, capacitances and energies
round numbers, so that results can be computed by hand.
"""

LOADS, SLEWS = (0.001, 0.01, 0.1), (0.01, 0.1, 1.0)  # pF, ns


def table(name, value, slews, loads):
    rows = ", ".join('"' + ", ".join(f"{value(s, c):.6g}" for c in loads) + '"' for s in slews)
    return f"        {name} (grid) {{ values ({rows}); }}\n"


class Writer:
    """`time` in ns and `cap` in pF are the library's units."""

    def __init__(self, name, time="1ns", cap="1,pf", pad=""):
        self.name, self.time, self.cap, self.pad = name, time, cap, pad
        self.t = {"1ns": 1, "1ps": 1000}[time]
        self.c = {"1,pf": 1, "1,ff": 1000}[cap]
        self.cells = []

    def grid(self, name, value):
        return table(name, value, SLEWS, LOADS)

    def timing(self, pin, delay, extra=""):
        rise = lambda s, c: self.t * (delay + 0.1 * s + 2 * c)  # noqa: E731
        edge = lambda s, c: self.t * (delay / 2 + 4 * c)  # noqa: E731
        parts = "".join(self.grid(kind, rise if "cell" in kind else edge)
                        for kind in ("cell_rise", "cell_fall", "rise_transition", "fall_transition"))
        return f'      timing () {{ related_pin : "{pin}"; {extra}\n{parts}      }}\n'

    def pin(self, name, load=0.002):
        return f"    pin ({name}) {{ direction : input; capacitance : {load * self.c:g}; }}\n"

    def gate(self, name, area, inputs, output, function, delay=0.02, power=0.0, leakage=1.0):
        body = "".join(self.pin(p) for p in inputs)
        energy = ""
        if power:
            energy = ("      internal_power () {\n" + self.grid("rise_power", lambda s, c: power)
                      + self.grid("fall_power", lambda s, c: 3 * power) + "      }\n")
        unate = "timing_sense : non_unate;"
        body += (f'    pin ({output}) {{ direction : output; max_capacitance : {0.1 * self.c:g}; function : "{function}";\n'
                 + "".join(self.timing(p, delay, unate) for p in inputs) + energy + "    }\n")
        self.cells.append((name, f"  cell ({name}{self.pad}) {{ area : {area}; cell_leakage_power : {leakage};\n{body}  }}\n"))
        return self

    def tie(self, name, area, outputs):
        pins = "".join(f'    pin ({p}) {{ direction : output; function : "{v}"; }}\n' for p, v in outputs)
        self.cells.append((name, f"  cell ({name}) {{ area : {area};\n{pins}  }}\n"))
        return self

    def flop(self, name, area, clock, data, next_state, outputs, state=("IQ", "IQN"), more=""):
        setup = f'      timing () {{ related_pin : "{clock}"; timing_type : setup_rising;\n' + "".join(
            self.grid(kind, lambda s, c: 0.05 * self.t) for kind in ("rise_constraint", "fall_constraint")) + "      }\n"
        pins = (f"    pin ({clock}) {{ direction : input; clock : true; capacitance : {0.003 * self.c:g}; }}\n"
                f"    pin ({data}) {{ direction : input; capacitance : {0.002 * self.c:g};\n{setup}    }}\n{more}")
        for pin, function in outputs:
            edge = "timing_type : rising_edge; timing_sense : non_unate;"
            pins += (f'    pin ({pin}) {{ direction : output; max_capacitance : {0.1 * self.c:g}; function : "{function}";\n'
                     + self.timing(clock, 0.1, edge) + "    }\n")
        self.cells.append((name, f'  cell ({name}) {{ area : {area};\n    ff ("{state[0]}", "{state[1]}") '
                                 f'{{ clocked_on : "{clock}"; next_state : "{next_state}"; }}\n{pins}  }}\n'))
        return self

    def text(self, only=None):
        index = lambda values, factor: ", ".join(f"{v * factor:g}" for v in values)  # noqa: E731
        head = (f"library ({self.name}) {{\n  /* stand-in */\n  delay_model : table_lookup;\n  time_unit : \"{self.time}\";\n"
                f"  voltage_unit : \"1V\";\n  current_unit : \"1uA\";\n  pulling_resistance_unit : \"1kohm\";\n"
                f"  leakage_power_unit : \"1nW\";\n  capacitive_load_unit ({self.cap});\n  nom_voltage : 1.0;\n"
                "  slew_lower_threshold_pct_rise : 20; slew_upper_threshold_pct_rise : 80;\n"
                "  slew_lower_threshold_pct_fall : 20; slew_upper_threshold_pct_fall : 80;\n"
                "  input_threshold_pct_rise : 50; input_threshold_pct_fall : 50;\n"
                "  output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;\n"
                "  nom_process : 1; nom_temperature : 25;\n"
                "  lu_table_template (grid) { variable_1 : input_net_transition; variable_2 : total_output_net_capacitance;\n"
                f"    index_1 (\"{index(SLEWS, self.t)}\"); index_2 (\"{index(LOADS, self.c)}\"); }}\n")
        return head + "".join(text for name, text in self.cells if only is None or name in only) + "}\n"


def nangate45():
    w = Writer("NangateOpenCellLibrary")
    w.gate("NAND2_X1", 0.798, ["A1", "A2"], "ZN", "!(A1 & A2)").gate("INV_X1", 0.532, ["A"], "ZN", "!A")
    w.gate("BUF_X1", 0.798, ["A"], "Z", "A").gate("NOR2_X1", 0.798, ["A1", "A2"], "ZN", "!(A1 | A2)")
    w.gate("XOR2_X1", 1.596, ["A", "B"], "Z", "(A ^ B)", 0.05)
    w.flop("DFF_X1", 4.522, "CK", "D", "D", [("Q", "IQ"), ("QN", "IQN")])
    # Smaller, but with a scan input: never to be chosen.
    w.flop("SDFF_X1", 4.0, "CK", "D", "((SE * SI) + (D * !SE))", [("Q", "IQ")], more=w.pin("SE") + w.pin("SI"))
    return w.tie("LOGIC0_X1", 0.532, [("Z", "0")]).tie("LOGIC1_X1", 0.532, [("Z", "1")])


def sky130():
    n = "sky130_fd_sc_hd__"
    w = Writer("sky130_fd_sc_hd__tt_025C_1v80")
    w.gate(n + "nand2_1", 3.7536, ["A", "B"], "Y", "(!A) | (!B)").gate(n + "inv_1", 3.7536, ["A"], "Y", "(!A)")
    w.gate(n + "buf_1", 3.7536, ["A"], "X", "(A)").gate(n + "nor2_1", 3.7536, ["A", "B"], "Y", "(!A&!B)")
    w.gate(n + "xor2_1", 8.7584, ["A", "B"], "X", "(A&!B) | (!A&B)", 0.05)
    w.gate(n + "lpflow_inputiso0n_1", 0.5, ["A", "SLEEP_B"], "X", "(A&SLEEP_B)")  # small, and not for logic
    w.flop(n + "dfxtp_1", 20.02, "CLK", "D", "D", [("Q", "IQ")], ("IQ", "IQ_N"))
    return w.tie(n + "conb_1", 3.7536, [("HI", "1"), ("LO", "0")])


def asap7():
    w = Writer("asap7sc7p5t", "1ps", "1,ff")
    r = "_ASAP7_75t_R"
    w.gate("NAND2xp33" + r, 0.05832, ["A", "B"], "Y", "(!A) + (!B)", 0.004).gate("INVx1" + r, 0.04374, ["A"], "Y", "(!A)", 0.002)
    w.gate("BUFx2" + r, 0.0729, ["A"], "Y", "A", 0.004).gate("NOR2xp33" + r, 0.05832, ["A", "B"], "Y", "(!A * !B)", 0.004)
    w.gate("XOR2xp5" + r, 0.13122, ["A", "B"], "Y", "(A * !B) + (!A * B)", 0.008)
    w.flop("DFFHQNx1" + r, 0.2916, "CLK", "D", "!D", [("QN", "IQN")], ("IQN", "IQNN"))
    return w.tie("TIEHIx1" + r, 0.04374, [("H", "1")]).tie("TIELOx1" + r, 0.04374, [("L", "0")])


ASAP7_FILES = {"SIMPLE": ("NAND2", "NOR2", "XOR2", "TIE"), "INVBUF": ("INV", "BUF"), "SEQ": ("DFF",)}


def asap7_files():
    """As ASAP7 comes: {part: text}, each a library of its own."""
    whole = asap7()
    return {part: whole.text([name for name, _ in whole.cells if name.startswith(starts)])
            for part, starts in ASAP7_FILES.items()}
