// An FST file that has been closed: is it whole? Its writer reports no failed write, and its reader (fstReaderOpen)
// crashes on some files that are cut.
#pragma once

#include <cstdint>
#include <string>

namespace warpsieve {

/// What is missing ("no hierarchy"); empty: nothing, and the last time in it is `end`. Looks at the blocks' chain,
/// the hierarchy and the geometry, without the values.
std::string what_is_cut(const std::string& path, std::uint64_t end);

}  // namespace warpsieve
