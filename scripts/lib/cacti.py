"""Access time of a memory by the recorded CACTI sweep (sim_cpp/cost/data/cacti_sweep.csv), in FO4 of CACTI's own technology.

`warpsieve area` prints areas of a scheme's memories, no access times of any shape: the sweep is read here too, by the rules of
sim_cpp/cost/README.md. A memory of W bits becomes ceil(W / 256) lanes of rams, 1R1W or 1RW, with words of the next power of two bytes;
between two recorded capacities the access time is interpolated log-log. A shape outside the sweep is an error.
"""

import math

import flow
from flow import FlowError

SWEEP = flow.ROOT / "sim_cpp" / "cost" / "data" / "cacti_sweep.csv"
NODE_NM = 22  # the smallest node that CACTI takes, and the one where the sweep has rams of one read and one write port
LEAST_BYTES, LEAST_ROWS, LANE_BITS = 64, 32, 256

# Devices of CACTI's itrs-hp at 22 nm (github.com/HewlettPackard/cacti, tech_params/22nm.dat): volts, amperes, farads and ohms
# per micrometre of width. The overlap is 0.2 of the ideal gate (technology.cc).
SUPPLY, ON_CURRENT, RESISTANCE_FACTOR, PMOS_PER_NMOS = 0.8, 2.6264e-3, 1.45, 2.0
GATE, FRINGE, SIDEWALL = 3.27e-16, 6e-17, 2.5e-16
OVERLAP = 0.2 * GATE


def fo4_ps():
    """Delay of an inverter that drives four of its kind and is driven by such an inverter, by CACTI's equation.

    Horowitz' equation gives t = tf sqrt(ln(2)^2 + a/2) for an input ramp of a tf. In a chain the ramp is twice the delay of
    the stage before, so that t = x tf with x^2 = ln(2)^2 + x.
    """
    nmos = 1.5 * NODE_NM / 1000  # um, CACTI's smallest
    pmos = PMOS_PER_NMOS * nmos
    drain = lambda width: SIDEWALL * (width + 6 * NODE_NM / 1000) + 2 * (FRINGE + OVERLAP) * width  # noqa: E731
    gate = (GATE + OVERLAP + 3 * FRINGE) * (nmos + pmos)
    tf = RESISTANCE_FACTOR * SUPPLY / ON_CURRENT / nmos * (drain(nmos) + drain(pmos) + 4 * gate)
    return 1e12 * tf * (1 + math.sqrt(1 + 4 * math.log(2) ** 2)) / 2


def lane(width, depth):
    """(bytes, bits of a word) of one lane, as plan_storage of sim_cpp/cost/area.cpp."""
    bits = -(-width // -(-width // LANE_BITS))
    word = 1
    while 8 * word < bits:
        word *= 2
    size = max(-(-bits * depth // 8), LEAST_BYTES)
    while word > 1 and size < max(LEAST_BYTES, LEAST_ROWS * word):
        word //= 2
    return size, 8 * word


def recorded(word, ports):
    """{bytes: access time in ns} of the recorded rams with such words and ports."""
    if not SWEEP.is_file():
        raise FlowError(f"{flow.shown(SWEEP)} is missing")
    wanted = f"g,ram,{NODE_NM},itrs-hp,{word // 8},{word},1,{ports},normal,default,350"
    found, inside = {}, False
    for line in SWEEP.read_text().splitlines():
        if line.startswith("g,"):
            inside = line == wanted
        elif inside and ",!" not in line:
            size, access = line.split(",")[:2]
            found[int(size)] = float(access)
    return found


def access(width, depth, ports="1R1W"):
    """(FO4, source) of a read; `ports`: 1R1W or 1RW."""
    size, word = lane(width, depth)
    known = recorded(word, ports)
    lower, upper = (max((s for s in known if s <= size), default=0), min((s for s in known if s >= size), default=0))
    if not lower or not upper:
        raise FlowError(f"CACTI: no recorded ram of {size} B with words of {word} bits: expected "
                        + (f"{min(known)} to {max(known)} B" if known else "a recorded width"))
    part = math.log(size / lower) / math.log(upper / lower) if upper > lower else 0
    ns = known[lower] * (known[upper] / known[lower]) ** part
    source = f"CACTI 7, {NODE_NM} nm, {size} B of {word}-bit words" + (", one port" if ports == "1RW" else "")
    source += f", from {lower} and {upper} B" if upper > lower else ""
    return 1000 * ns / fo4_ps(), source
