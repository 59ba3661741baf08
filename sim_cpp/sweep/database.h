// All results of a sweep in one SQLite file. README.md documents the tables.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>

#include "sweep/store.h"

namespace warpsieve::sweep {

struct Merged {
  std::size_t done = 0, failed = 0, missing = 0;  ///< points of the sweep
  std::size_t added = 0;                          ///< of them new in this call
};

/// Brings the database up to what the store holds; what is there already stays. Every few hundred points are one
/// transaction, so that a merge that is killed loses nothing that it had reported. Throws ConfigError for a file that
/// is not such a database, was changed since (database_digest.h) or cannot be written, Interrupted after a signal.
Merged merge(const Store& store, const std::string& path);

/// A finished point (`error` empty), or a failed one (`run` null).
struct StoredPoint {
  nlohmann::ordered_json run;
  std::string error;
};

/// What a database holds. Points without an entry are missing, and have no `spec`.
struct Stored {
  Sweep sweep;
  std::unordered_map<std::string, StoredPoint> points;  ///< by id
};

/// Throws ConfigError for a file that is no such database, or whose content is not that of its digests.
Stored read_database(const std::string& path);

}  // namespace warpsieve::sweep
