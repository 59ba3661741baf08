#include "sweep/database_digest.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "core/params.h"
#include "run/content_hash.h"

namespace warpsieve::sweep {

namespace {

constexpr const char* kSweepTables[] = {
    "SELECT key, value FROM meta WHERE key != 'digest' ORDER BY key",
    "SELECT axis, name, unit, value, label, assignments FROM axis ORDER BY axis, value",
    "SELECT number, point, workload, scheme, seed, experiment FROM combination ORDER BY number",
    "SELECT combination, axis, value FROM coordinate ORDER BY combination, axis"};
// quote() writes real numbers with all their digits, and tells text from numbers.
constexpr const char* kPointTables[] = {
    "SELECT id, workload, scheme, profile, seed, spec, state, error, quote(cycles), quote(ipc), quote(off_chip), run "
    "FROM point WHERE id = ?",
    "SELECT name, quote(value) FROM statistic WHERE point = ? ORDER BY name"};

/// Every cell with its length, so that no two contents look alike.
void append_rows(std::string& text, Statement& rows) {
  while (rows.step()) {
    for (int i = 0; i < rows.columns(); ++i) {
      const std::string cell = rows.text(i);
      text += fmt::format("{}:", cell.size());
      text += cell;
    }
    text += '\n';
  }
}

[[noreturn]] void refuse(const Database& db, const std::string& what, const std::string& expected,
                         const std::string& found) {
  throw ConfigError(
      fmt::format("{}: changed since it was written: {}: expected content of digest {}, found content of digest {}",
                  db.path(), what, expected.empty() ? "(none)" : expected, found));
}

}  // namespace

bool has_digests(Database& db) {
  return Statement(db, "SELECT 1 FROM sqlite_master WHERE name = 'digest'").step() &&
         Statement(db, fmt::format("SELECT 1 FROM meta WHERE key = '{}'", kSweepDigest)).step();
}

std::string sweep_digest(Database& db) {
  std::string text;
  for (const char* const table : kSweepTables) {
    Statement rows(db, table);
    append_rows(text, rows);
    text += '\n';
  }
  return run::content_hash(text);
}

std::string point_digest(Database& db, const std::string& id) {
  std::string text;
  for (const char* const table : kPointTables) {
    Statement rows(db, table);
    append_rows(text, rows.bind(id));
    text += '\n';
  }
  return run::content_hash(text);
}

void write_sweep_digest(Database& db) {
  Statement(db, "INSERT INTO meta VALUES(?, ?)").bind(kSweepDigest).bind(sweep_digest(db)).run();
  std::vector<std::string> without;
  {
    Statement list(db, "SELECT id FROM point WHERE id NOT IN (SELECT point FROM digest)");
    while (list.step()) without.push_back(list.text(0));
  }
  for (const std::string& id : without) write_point_digest(db, id);
}

void write_point_digest(Database& db, const std::string& id) {
  Statement(db, "INSERT OR REPLACE INTO digest VALUES(?, ?)").bind(id).bind(point_digest(db, id)).run();
}

void check_digests(Database& db) {
  if (!has_digests(db)) return;
  Statement mine(db, fmt::format("SELECT value FROM meta WHERE key = '{}'", kSweepDigest));
  mine.step();
  if (const std::string found = sweep_digest(db); mine.text(0) != found)
    refuse(db, "the sweep's tables", mine.text(0), found);
  Statement points(db, "SELECT p.id, d.digest FROM point p LEFT JOIN digest d ON d.point = p.id");
  while (points.step())
    if (const std::string id = points.text(0), found = point_digest(db, id); points.text(1) != found)
      refuse(db, "point " + id, points.text(1), found);
}

}  // namespace warpsieve::sweep
