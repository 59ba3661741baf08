#!/usr/bin/env python3
"""read_trace.py FILE: prints a trace as `warpsieve trace cat` does.

A second reader, written from sim_cpp/trace/README.md alone: it shows that the page says all that one needs.
Ends with code 77 where libzstd or libxxhash is missing.
"""

import ctypes
import json
import struct
import sys

try:
    ZSTD = ctypes.CDLL("libzstd.so.1")
    XXHASH = ctypes.CDLL("libxxhash.so.0")
except OSError:
    sys.exit(77)
XXHASH.XXH3_64bits.restype = ctypes.c_uint64
XXHASH.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
ZSTD.ZSTD_decompress.restype = ctypes.c_size_t
ZSTD.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]

OPERATIONS = "alu sfu load store atomic shared constant barrier".split()
ATOMICS = "add.u32 add.f32 min.u32 max.u32 exch.u32 cas.u32".split()


def xxh3(data):
    return XXHASH.XXH3_64bits(data, len(data))


def blocks(data):
    """(section, columns) of every block; a column is bytes for elements of one byte, else a list."""
    assert data[:8] == b"WSTRACE\n" and struct.unpack_from("<IIQ", data, 8) == (1, 8192, xxh3(data[:16]))
    at, number = 24, 0
    while at < len(data):
        count = data[at + 9]
        end = at + 16 + 24 * count
        assert data[at:at + 4] == b"WSBK" and struct.unpack_from("<I", data, at + 4)[0] == number
        assert struct.unpack_from("<Q", data, end)[0] == xxh3(data[at:end])
        columns, place = [], end + 8
        for c in range(count):
            width, packed, size, stored, digest = struct.unpack_from("<BB6xIIQ", data, at + 16 + 24 * c)
            column = data[place:place + stored]
            place += stored
            assert xxh3(column) == digest
            if packed:
                out = ctypes.create_string_buffer(size)
                assert ZSTD.ZSTD_decompress(out, size, column, stored) == size
                column = out.raw
            m = size // width
            if width > 1:
                column = [sum(column[k * m + i] << 8 * k for k in range(width)) for i in range(m)]
            columns.append(column)
        yield data[at + 8], columns
        at, number = place, number + 1


class Records:
    """Prints the records blocks of one launch."""

    def __init__(self):
        self.thread_block = self.warp = self.index = 0
        self.fresh = True

    def show(self, c):
        following = [iter(column) for column in c]
        record = 0
        for length, end in zip(c[0], c[1]):
            if self.fresh:
                print(f"thread block {self.thread_block} warp {self.warp}")
                self.index, self.fresh = 0, False
            for _ in range(length):
                print(self.text(c, record, following))
                record += 1
                self.index += 1
            if end & 1:
                self.warp, self.fresh = self.warp + 1, True
            if end & 2:
                self.thread_block, self.warp = self.thread_block + 1, 0

    def text(self, c, record, following):
        kind, width, count, mask = c[2][record], c[3][record], c[4][record], c[5][record]
        operation = OPERATIONS[kind & 7]
        lanes = [lane for lane in range(32) if mask >> lane & 1]
        atomic = "." + ATOMICS[next(following[6])] if operation == "atomic" else ""
        line = f"  {self.index} {operation}{atomic} mask {mask:08x}"
        if count != 1:
            line += f" x{count}"
        detail = c[12][record] if len(c) > 12 else 0
        low, high = detail & 255, detail >> 8
        if operation == "alu":
            line += (f" single {low}" if low else "") + (f" double {high}" if high else "")
        elif operation == "sfu":
            line += {0: "", 2: " double", 4: " matrix"}[low]
        elif operation == "shared" and low:
            line += f" passes {low + 1}"
        sources = [str(self.index - next(following[7])) for _ in range(kind >> 3 & 3)]
        if sources:
            line += " from " + ",".join(sources)
        if operation not in ("load", "store", "atomic"):
            return line
        addresses = [next(following[8])]
        if kind & 32:
            for _ in lanes[1:]:
                addresses.append((addresses[-1] + next(following[10])) % 2**40)
        else:
            stride = next(following[9])
            stride -= stride >> 31 << 32
            addresses = [addresses[0] + (lane - lanes[0]) * stride for lane in lanes]
        line += f" {width} bytes at" + "".join(f" {a:#x}" for a in addresses)
        if operation != "load":
            values = [bytes(next(following[11]) for _ in range(width)) for _ in lanes]
            line += " data" + "".join(" " + v[::-1].hex() for v in values)
        return line


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    section, records = 0, None
    for section, c in blocks(data):
        if section == 3:
            shape = json.loads(c[0])
            print("launch {kernel}: {blocks} blocks of {threads} threads, {shared_bytes} bytes of shared memory, "
                  "{registers} registers".format(**shape))
            records = Records()
        elif section == 4:
            records.show(c)
        elif section == 5:
            for address, size in zip(c[0], c[1]):
                print(f"host writes {size & 0x7fffffff} bytes at {address:#x}")
    assert section == 7


main()
