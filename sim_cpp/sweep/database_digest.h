// Digests of what `sweep merge` wrote, kept beside it: a digit that something else changed is found by every reader.
#pragma once

#include <string>

#include "sweep/sqlite.h"

namespace warpsieve::sweep {

/// Key of the table `meta`: the digest of what the sweep says. Databases of versions before it have none.
inline constexpr const char* kSweepDigest = "digest";
bool has_digests(Database& database);
/// Digest of the tables meta (without itself), axis, combination and coordinate.
std::string sweep_digest(Database& database);
/// Digest of all rows of a point.
std::string point_digest(Database& database, const std::string& id);
/// Writes the digest of the sweep, and those of points that have none.
void write_sweep_digest(Database& database);
void write_point_digest(Database& database, const std::string& id);
/// Throws ConfigError "PATH: changed since it was written: ..."; a database without digests is taken as it is.
void check_digests(Database& database);

}  // namespace warpsieve::sweep
