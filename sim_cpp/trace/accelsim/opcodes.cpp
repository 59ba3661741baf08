#include "trace/accelsim/opcodes.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace warpsieve::trace::accelsim {
namespace {

// Names: the instruction sets of Kepler to Hopper in NVIDIA's "CUDA Binary Utilities" (instruction set reference).
// Classes and units: as Accel-Sim's trace front end has them (sp, int, dp, sfu, tensor, load/store, branch); what it
// lets go to either of sp and int (conversions, moves, predicates, control) is integer here. A class's latency and
// interval: memsys/sm/units.h.
struct Group {
  OpClass kind;
  std::string_view names;
  simt::Unit unit = simt::Unit::integer;
};
constexpr Group kGroups[] = {
    // single and half precision
    {OpClass::alu,
     "FADD FADD32I FCHK FCMP FFMA FFMA32I FMNMX FMNMX3 FMUL FMUL32I FSEL FSET FSETP FSWZ FSWZADD RRO "
     "HADD2 HADD2_32I HFMA2 HFMA2_32I HMNMX2 HMUL2 HMUL2_32I HSET2 HSETP2",
     simt::Unit::single_precision},
    // integers
    {OpClass::alu,
     "BFE BFI BMSK BREV FLO IABS IADD IADD3 IADD32I ICMP IDP IDP4A IMAD IMAD32I IMADSP IMNMX IMUL "
     "IMUL32I ISAD ISCADD ISCADD32I ISET ISETP ISUB LEA LOP LOP3 LOP32I POPC SHF SHL SHR VABSDIFF "
     "VABSDIFF4 VADD VHMNMX VIADD VIADDMNMX VIMNMX VIMNMX3 VMNMX XMAD"},
    // conversions, moves, predicates
    {OpClass::alu,
     "F2F F2FP F2I F2IP FRND I2F I2FP I2I I2IP MOV MOV32I MOVM PRMT SEL SGXT SHFL CSET CSETP P2R PLOP3 "
     "PSET PSETP R2P"},
    // uniform datapath
    {OpClass::alu,
     "R2UR REDUX S2UR UBMSK UBREV UCLEA UF2FP UFLO UIADD3 UIMAD UISETP ULEA ULOP ULOP3 ULOP32I UMOV "
     "UP2UR UPLOP3 UPOPC UPRMT UPSETP UR2UP USEL USGXT USHF USHL USHR VOTEU"},
    // control
    {OpClass::alu,
     "BMOV BPT BRA BREAK BRK BRX BRXU BSSY BSYNC CAL CALL CONT ELECT EXIT JCAL JMP JMX JMXU KILL LONGJMP "
     "NANOSLEEP PBK PCNT PEXIT PLONGJMP PRET RET RPCMOV RTT SSY SYNC WARPSYNC YIELD"},
    // caches, fences, others
    {OpClass::alu,
     "ARRIVES B2R CCTL CCTLL CCTLT CGAERRBAR CS2R CSMTEST ENDCOLLECTIVE ERRBAR FENCE GETLMEMBASE LEPC "
     "MATCH MEMBAR NOP PMTRIG QSPC R2B S2R SETCTAID SETLMEMBASE SYNCS UCGABAR_ARV UCGABAR_WAIT USETMAXREG "
     "VOTE VOTE_VTG WARPGROUP"},
    {OpClass::sfu, "MUFU", simt::Unit::special},
    {OpClass::sfu, "DADD DFMA DMNMX DMUL DSET DSETP", simt::Unit::double_precision},
    {OpClass::sfu, "BMMA DMMA HMMA IMMA", simt::Unit::matrix},
    {OpClass::constant, "LDC ULDC"},
    {OpClass::shared, "LDS LDSLK LDSM STS STSCUL STSM ATOMS"},
    {OpClass::shared, "TEX TEXS TLD TLD4 TLD4S TLDS TMML TXA TXD TXQ"},
    {OpClass::shared, "SUATOM SUBFM SUCLAMP SUEAU SULD SULDGA SUQUERY SURED SUST SUSTGA"},
    {OpClass::barrier, "BAR"},
    {OpClass::global_load, "LDG"},
    {OpClass::global_store, "STG"},
    {OpClass::global_atomic, "ATOMG RED REDG"},
    {OpClass::local_load, "LDL"},
    {OpClass::local_store, "STL"},
    {OpClass::generic_load, "LD"},
    {OpClass::generic_store, "ST"},
    {OpClass::generic_atomic, "ATOM"},
    {OpClass::copy_to_shared, "LDGSTS"},
    {OpClass::close_copies, "LDGDEPBAR"},
    {OpClass::wait_copies, "DEPBAR"},
};

const std::unordered_map<std::string_view, const Group*>& classes() {
  static const auto* map = [] {
    auto* out = new std::unordered_map<std::string_view, const Group*>;
    for (const Group& group : kGroups)
      for (std::string_view rest = group.names; !rest.empty();) {
        const std::size_t n = std::min(rest.find(' '), rest.size());
        out->emplace(rest.substr(0, n), &group);
        rest.remove_prefix(std::min(n + 1, rest.size()));
      }
    return out;
  }();
  return *map;
}

/// Bytes that a modifier such as 64, U16 or S8 stands for; 0 for any other.
unsigned width_of(std::string_view modifier) {
  if (modifier.starts_with('U') || modifier.starts_with('S')) modifier.remove_prefix(1);
  if (modifier == "8") return 1;
  if (modifier == "16") return 2;
  if (modifier == "32") return 4;
  if (modifier == "64") return 8;
  if (modifier == "128") return 16;
  return 0;
}

}  // namespace

Opcode decode_opcode(std::string_view text) {
  Opcode out;
  const std::string_view name = text.substr(0, text.find('.'));
  const auto found = classes().find(name);
  if (found == classes().end()) return out;
  out.kind = found->second->kind;
  out.unit = found->second->unit;
  bool arrives = false, wide = false;
  for (std::string_view rest = text.substr(name.size()); !rest.empty();) {
    rest.remove_prefix(1);
    const std::string_view modifier = rest.substr(0, rest.find('.'));
    rest.remove_prefix(modifier.size());
    // The tracer's own width is wrong for some instructions; the first width in the opcode counts.
    if (const unsigned bytes = width_of(modifier); bytes && out.bytes == 4) out.bytes = bytes;
    arrives |= modifier == "ARV";
    wide |= modifier == "WIDE";
    out.wide_address |= modifier == "E";
  }
  if (out.kind == OpClass::barrier && arrives) out.kind = OpClass::alu;  // no warp waits here
  if (has_addresses(out.kind) || out.kind == OpClass::shared || out.kind == OpClass::constant)
    out.result_registers = out.source_registers = std::max(1u, out.bytes / 4);
  else if (out.kind == OpClass::sfu && name.ends_with("MMA"))
    out.result_registers = name == "DMMA" ? 4 : 2;
  else if (out.kind == OpClass::sfu && name.starts_with('D'))
    out.result_registers = out.source_registers = 2;
  else if (wide)
    out.result_registers = 2;
  return out;
}

}  // namespace warpsieve::trace::accelsim
