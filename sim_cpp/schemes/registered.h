// Whether this program has schemes from outside the tree.
#pragma once

namespace warpsieve::schemes {

/// Whether register_family() was called.
bool any_registered();

}  // namespace warpsieve::schemes
