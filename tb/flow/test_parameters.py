"""Illegal parameters: each ends elaboration with a line of the RTL that names the parameter."""

import concurrent.futures
import re
import subprocess
import unittest

from support import REPO

import flow

# block, module, illegal values of one parameter each, the rest as at the module's first point
ILLEGAL = {
    ("affine", "affine_encoder"): ["Lanes=1", "StrideBits=0", "StrideBits=6"],
    ("affine", "affine_decoder"): ["Lanes=0", "StrideBits=0", "StrideBits=6"],
    ("affine_cache", "affine_cache"): ["Slots=1", "Slots=3", "Sets=3", "Ways=0", "LineBits=2"],
    ("axi_stream", "axis_to_line"): ["DataBytes=0", "LineBits=0", "UserBits=0", "Exact=2"],
    ("axi_stream", "axis_from_line"): ["DataBytes=0", "LineBits=0", "UserBits=0"],
    ("axi_stream", "axis_line_hasher"): ["Keyed=2", "StepsPerCycle=3"],
    ("bloom_predictor", "bloom_predictor"): ["Counters=12", "Lanes=3", "LineBits=0", "Threshold=9", "Period=0"],
    ("bloom_predictor", "counting_bloom"): ["Counters=12", "CounterBits=0"],
    ("common", "fifo"): ["Width=0", "Depth=0"],
    ("common", "stream_skid"): ["Width=0"],
    ("common", "ram_1r1w"): ["Width=0", "Depth=0", "OldData=2", "AddrBits=9"],
    ("common", "ram_1rw"): ["Width=0", "Depth=0", "MaskBits=0", "MaskBits=2", "HoldData=2", "AddrBits=9"],
    ("common", "lru"): ["Ways=0", "WayBits=9"],
    ("common", "plru_tree"): ["Ways=1", "WayBits=9"],
    ("common", "h3_hash"): ["KeyBits=65", "HashBits=0"],
    ("dup_detect", "dup_detect"): ["Sectors=0", "SectorBits=0", "WordBits=0", "WordBits=7"],
    ("bpc", "bpc_encoder"): ["Words=2", "Words=33", "LengthBits=3"],
    ("bpc", "bpc_decoder"): ["Words=2", "Words=33"],
    ("dpc", "dpc_encoder"): ["SubWords=1", "SubWords=9", "Planes=1", "PlanesPerCycle=0", "FlitBits=2", "Truncate=2", "CountBits=3",
                             "LengthBits=3"],
    ("dpc", "dpc_decoder"): ["SubWords=1", "Planes=33", "PlanesPerCycle=0", "FlitBits=2", "Truncate=2"],
    ("axi_stream", "axis_dpc_encoder"): ["SubWords=1", "Planes=1", "DataBytes=0", "Truncate=2"],
    ("axi_stream", "axis_dpc_decoder"): ["SubWords=1", "Planes=1", "DataBytes=0"],
    ("axi_stream", "axis_bpc_encoder"): ["Words=2", "DataBytes=0"],
    ("axi_stream", "axis_bpc_decoder"): ["Words=2", "DataBytes=0"],
    ("hash_store", "hash_store"): ["Sets=3", "Ways=0", "HashBits=0", "RefBits=0", "CountBits=0", "RefSets=3", "RefWays=0",
                                   "Secded=2", "IndexBits=9"],
    ("md5", "md5_core"): ["StepsPerCycle=3", "FoldInSteps=2"],
    ("md5", "line_hasher"): ["StepsPerCycle=0"],
    ("md5", "md5_pipeline"): ["StepsPerStage=0", "StepsPerStage=5"],
    ("metadata_cache", "metadata_cache"): ["EntryBits=3", "Sets=3", "Ways=0", "Parks=0", "IdBits=0", "LineBytes=3", "Secded=2"],
    ("merge_duel", "merge_duel"): ["LineBits=32", "TagBits=0", "LeaderBits=0", "LeaderBits=22", "LevelBits=5", "LevelBits=17"],
    ("packet_filter", "pdr_table"): ["Sets=3", "Ways=0", "SmBits=0", "LineBits=0", "TokenBits=9"],
    ("packet_filter", "packet_filter"): ["InFlight=0", "Sets=3"],
    ("rata", "rata"): ["Sets=3", "Ways=1", "TagBits=0", "SmBits=0", "LineBits=31"],
    ("request_control", "request_analyzer"): ["Lanes=0", "LineBytes=100", "SubBlocks=3"],
    ("request_control", "windows_manager"): ["Window=0", "IcaPercent=101", "FdrPercent=101"],
    ("request_control", "critical_data_tracker"): ["Lines=0", "Mshrs=0", "Append=2", "LineBits=9"],
    ("secded", "secded"): ["Width=0", "Width=65", "CheckBits=9"],
    ("secded", "secded_ram"): ["Width=0", "WordBits=0", "WordBits=65", "Depth=0"],
    ("secded", "secded_words"): ["Width=0", "Lanes=0", "Lanes=4", "Stored=81"],
    ("siphash", "siphash_core"): ["HalfRoundsPerCycle=3"],
    ("siphash", "siphash_line_hasher"): ["HalfRoundsPerCycle=0"],
    ("siphash", "siphash_line_hashers"): ["Units=0", "HalfRoundsPerCycle=0"],
    ("victim_fifo", "victim_fifo"): ["Entries=0", "TagBits=0", "Sectors=0", "DataBits=0"],
    ("dedup", "dedup"): ["Contexts=0", "TagBits=0", "Verify=2", "ByteMasks=2", "RegionBits=40", "Lookups=0", "IdBits=9"],
    ("dedup_safe", "dedup_guard"): ["Ids=0", "Ids=9", "Caches=0", "Fetches=0"],
    ("dedup_safe", "metadata_image"): ["EntryBits=3", "SectorBytes=3", "IndexBits=1"],
    ("dedup_safe", "event_counters"): ["Counters=0", "Counters=64", "EventBits=0", "EventBits=33", "StatusBits=0"],
    ("dedup_safe", "dedup_safe"): ["LineBits=8", "EventBits=0"],
    ("dedup", "dedup_unit"): ["LineBits=8", "SipHash=2", "Secded=2", "StoreSets=3", "TypeSets=0", "AddrSets=3"],
}


def said(block, module, setting):
    """Lines of $error that the elaboration prints, and its exit code."""
    point = next(p for p in flow.points(block) if p.module == module)
    name, value = setting.split("=")
    params = dict(point.params, **{name: value})
    ran = subprocess.run(["verilator", "--lint-only", "-Wno-lint", "-Wno-style", "--top-module", module,
                          *(f"-G{k}={v}" for k, v in params.items()), *map(str, flow.sources(block, module))],
                         capture_output=True, text=True, check=False, timeout=300)
    return ran.returncode, re.findall(r"USERERROR: \S+: (.*)", ran.stderr)


class Parameters(unittest.TestCase):
    def test_each_illegal_value_is_named(self):
        every = [(block, module, setting) for (block, module), settings in ILLEGAL.items() for setting in settings]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for (_, module, setting), (code, lines) in zip(every, pool.map(lambda one: said(*one), every)):
                with self.subTest(module=module, setting=setting):
                    self.assertNotEqual(code, 0)
                    self.assertTrue([line for line in lines if setting.split("=")[0] in line], lines)

    def test_every_module_with_parameters_is_tried(self):
        missing = {(p.block, p.module) for block in flow.blocks() for p in flow.points(block) if p.params} - set(ILLEGAL)
        self.assertEqual(missing, set())
        self.assertTrue((REPO / "rtl").is_dir())


if __name__ == "__main__":
    unittest.main(argv=[__file__, "-v"])
