#!/usr/bin/env python3
"""Rewrites cacti_sweep.csv from the CACTI 7 sweep: compact_sweep.py SWEEP.csv > cacti_sweep.csv

SWEEP.csv is the shared data set's cacti7_sweep.csv (columns: its README.md). Kept are the rows that a cost::cacti
query can name: one bank, optimisation target ED^2, no ECC, wires Global_30; refused rows keep CACTI's message.
"""
import csv
import sys

GROUP = ["type", "tech_nm", "cell", "block_B", "out_bits", "assoc", "ports", "access_mode", "tag_bits", "temp_K"]
RESULTS = ["access_ns", "cycle_ns", "search_nJ", "read_nJ", "write_nJ", "leak_mW", "gate_leak_mW", "area_mm2",
           "data_area_mm2", "tag_area_mm2", "cam_search_ns"]
SAME = {"banks": "1", "opt": "ED^2", "ecc": "false", "wire": "Global_30"}


def number(text):
    return float(text) if text.replace(".", "").isdigit() else text


def main():
    groups = {}
    with open(sys.argv[1], newline="") as file:
        for row in csv.DictReader(file):
            if any(row[k] != v for k, v in SAME.items()):
                continue
            searched = row["type"] == "cam" or row["assoc"] == "0"
            if row["search_ports"] != ("1" if searched else "0"):
                continue
            if row["type"] == "cam" and row["tag_bits"] == "default":
                continue
            groups.setdefault(tuple(row[k] for k in GROUP), []).append(row)
    print("# CACTI 7.0.3DD (github.com/HewlettPackard/cacti, commit 1ffd8df), recorded results: written by compact_sweep.py")
    print("# from cacti7_sweep.csv; outputs of a model, not measurements of silicon. One bank, ED^2, no ECC, wires Global_30.")
    print("# group: " + ",".join(GROUP))
    print("# row:   size_B," + ",".join(RESULTS) + "   or   size_B,!what CACTI answered")
    for key in sorted(groups, key=lambda k: [number(x) for x in (k[1], *k[3:6], k[9])] + [k[0], k[2], *k[6:9]]):
        print("g," + ",".join(key))
        for row in sorted(groups[key], key=lambda r: int(r["size_B"])):
            if row["status"] == "ok":
                print(row["size_B"] + "," + ",".join(row[k] for k in RESULTS))
            else:
                message = row["status"].split(": ", 1)[1].replace(",", ";").strip()
                print(f"{row['size_B']},!{message}")


if __name__ == "__main__":
    main()
