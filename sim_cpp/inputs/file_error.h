// Files that no reader can take, whatever their format.
#pragma once

#include "inputs/text_reader.h"

namespace warpsieve::inputs {

/// Missing, no regular file, empty, damaged (compressed data) or too large.
class FileError : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace warpsieve::inputs
