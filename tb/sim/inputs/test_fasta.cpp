// FASTA files: titles, joined sequences, case, and what is not a base.
#include <gtest/gtest.h>

#include "inputs/fasta.h"

namespace warpsieve::inputs {
namespace {

std::string error_of(std::string_view text) {
  try {
    parse_fasta("f.fa", text);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

TEST(Fasta, SequencesAreJoinedWithoutTheirTitles) {
  EXPECT_EQ(parse_fasta("f.fa", ">one ACGT\nACG\nTn\n\n>two\r\nac gt\r\n"), "ACGTNACGT");
  EXPECT_EQ(parse_fasta("f.fa", "ACGT"), "ACGT");
}

TEST(Fasta, OtherLettersAndEmptyFilesAreErrors) {
  EXPECT_EQ(error_of(">x\nACGT\nAC-T\n"), "f.fa:3: expected bases (A, C, G, T or N), found '-'");
  EXPECT_EQ(error_of(">only a title\n"), "f.fa:2: expected bases, found none");
}

}  // namespace
}  // namespace warpsieve::inputs
