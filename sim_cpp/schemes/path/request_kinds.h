// Kinds of DRAM requests of schemes that keep metadata or read old content (memsys/request_kind.h).
#pragma once

#include "memsys/request_kind.h"

namespace warpsieve::schemes {

inline const memsys::RequestKind kMetadataRead = memsys::register_request_kind("metadata_read");
inline const memsys::RequestKind kMetadataWrite = memsys::register_request_kind("metadata_write");
/// Old content that completes a partial write, or that a line is about to share.
inline const memsys::RequestKind kDedupRead = memsys::register_request_kind("dedup_read");
/// A reference read only to be compared with a line that is about to share it.
inline const memsys::RequestKind kVerifyRead = memsys::register_request_kind("verify_read");

}  // namespace warpsieve::schemes
