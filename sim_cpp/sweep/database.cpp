#include "sweep/database.h"

#include <fmt/format.h>

#include <set>

#include "core/params.h"
#include "run/interrupt.h"
#include "run/run_json.h"
#include "run/version.h"
#include "sweep/database_digest.h"
#include "sweep/sqlite.h"

namespace warpsieve::sweep {

namespace {

constexpr int kApplication = 0x57534956;  // "WSIV", in the file's header
constexpr int kSchema = 2;
constexpr std::size_t kPerTransaction = 200;

constexpr const char* kTables = R"sql(
CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS axis(
  axis INTEGER NOT NULL, name TEXT NOT NULL, unit TEXT NOT NULL, value INTEGER NOT NULL, label TEXT NOT NULL,
  assignments TEXT NOT NULL, PRIMARY KEY(axis, value)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS point(
  id TEXT PRIMARY KEY, workload TEXT NOT NULL, scheme TEXT NOT NULL, profile TEXT NOT NULL, seed INTEGER NOT NULL,
  spec TEXT NOT NULL, state TEXT NOT NULL CHECK(state IN ('done', 'failed')), error TEXT,
  cycles INTEGER, ipc REAL, off_chip INTEGER, run TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS statistic(
  point TEXT NOT NULL REFERENCES point(id) ON DELETE CASCADE, name TEXT NOT NULL, value REAL NOT NULL,
  PRIMARY KEY(point, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS digest(
  point TEXT PRIMARY KEY REFERENCES point(id) ON DELETE CASCADE, digest TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS combination(
  number INTEGER PRIMARY KEY, point TEXT NOT NULL, workload TEXT NOT NULL, scheme TEXT NOT NULL,
  seed INTEGER NOT NULL, experiment INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS coordinate(
  combination INTEGER NOT NULL, axis INTEGER NOT NULL, value INTEGER NOT NULL,
  PRIMARY KEY(combination, axis)) WITHOUT ROWID;
)sql";

std::int64_t pragma(Database& db, const char* name) {
  Statement statement(db, fmt::format("PRAGMA {}", name));
  return statement.step() ? statement.integer(0) : 0;
}

class Transaction {
 public:
  explicit Transaction(Database& db) : db_(db) { db.run("BEGIN IMMEDIATE"); }
  ~Transaction() {
    try {
      if (open_) db_.run("ROLLBACK");
    } catch (const ConfigError&) {  // the connection is gone, and the transaction with it
    }
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit() {
    db_.run("COMMIT");
    open_ = false;
  }

 private:
  Database& db_;
  bool open_ = true;
};

/// The file is one of ours, of this schema.
void check_ours(Database& db) {
  if (pragma(db, "application_id") != kApplication)
    throw ConfigError(fmt::format("{}: a database of something else", db.path()));
  if (pragma(db, "user_version") != kSchema)
    throw ConfigError(fmt::format("{}: schema {}, expected {}: remove it and merge again", db.path(),
                                  pragma(db, "user_version"), kSchema));
}

void prepare(Database& db) {
  const bool empty = !Statement(db, "SELECT 1 FROM sqlite_master").step();
  if (!empty) check_ours(db);
  db.run("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON");
  Transaction all(db);
  db.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication, kSchema));
  db.run(kTables);
  all.commit();
}

/// What the sweep says, replaced as a whole; points that are not in it any more go.
void write_sweep(Database& db, const Sweep& sweep) {
  Transaction all(db);
  db.run("DELETE FROM meta; DELETE FROM axis; DELETE FROM combination; DELETE FROM coordinate");
  Statement meta(db, "INSERT INTO meta VALUES(?, ?)");
  for (const auto& [key, value] :
       std::initializer_list<std::pair<const char*, std::string>>{{"name", sweep.name},
                                                                  {"doc", sweep.doc},
                                                                  {"version", sweep.version},
                                                                  {"sweep", sweep.text},
                                                                  {"points", std::to_string(sweep.points.size())}})
    meta.bind(key).bind(value).run();
  Statement axis(db, "INSERT INTO axis VALUES(?, ?, ?, ?, ?, ?)");
  for (std::size_t a = 0; a < sweep.axes.size(); ++a)
    for (std::size_t v = 0; v < sweep.axes[a].values.size(); ++v)
      axis.bind(static_cast<std::int64_t>(a))
          .bind(sweep.axes[a].name)
          .bind(sweep.axes[a].unit)
          .bind(static_cast<std::int64_t>(v))
          .bind(sweep.axes[a].values[v].label)
          .bind(nlohmann::ordered_json(sweep.axes[a].values[v].set).dump())
          .run();
  Statement combination(db, "INSERT INTO combination VALUES(?, ?, ?, ?, ?, ?)");
  Statement coordinate(db, "INSERT INTO coordinate VALUES(?, ?, ?)");
  for (std::size_t i = 0; i < sweep.rows.size(); ++i) {
    const Row& row = sweep.rows[i];
    const auto number = static_cast<std::int64_t>(i);
    combination.bind(number)
        .bind(sweep.points[row.point].id)
        .bind(row.workload)
        .bind(row.scheme)
        .bind(static_cast<std::int64_t>(row.seed))
        .bind(static_cast<std::int64_t>(row.experiment))
        .run();
    for (std::size_t a = 0; a < row.values.size(); ++a)
      coordinate.bind(number).bind(static_cast<std::int64_t>(a)).bind(static_cast<std::int64_t>(row.values[a])).run();
  }
  db.run("DELETE FROM point WHERE id NOT IN (SELECT point FROM combination)");
  write_sweep_digest(db);
  all.commit();
}

/// Numbers of a run, by dotted name: counters as they are called, requests under off_chip.
void each_number(const nlohmann::ordered_json& run, const std::function<void(const std::string&, double)>& use) {
  for (const char* name : {"ipc", "thread_ipc", "cycles"})
    if (run.contains(name)) use(name, run[name].get<double>());
  for (const auto& [kind, count] : run.at("off_chip_requests").items()) use("off_chip." + kind, count.get<double>());
  for (const auto& [name, count] : run.at("counters").items()) use(name, count.get<double>());
}

class Writer {
 public:
  explicit Writer(Database& db)
      : remove_(db, "DELETE FROM point WHERE id = ?"),
        point_(db, "INSERT INTO point VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        number_(db, "INSERT INTO statistic VALUES(?, ?, ?)") {}

  void done(const Store& store, const Point& p) {
    const nlohmann::ordered_json run = store.result(p);
    start(p, "done")
        .bind(nullptr)
        .bind(run.at("cycles").get<std::int64_t>())
        .bind(run.at("ipc").get<double>())
        .bind(run.at("off_chip_requests").at("total").get<std::int64_t>())
        .bind(run.dump())
        .run();
    each_number(run, [&](const std::string& name, double value) { number_.bind(p.id).bind(name).bind(value).run(); });
  }
  void failed(const Store& store, const Point& p) {
    start(p, "failed").bind(store.failure(p).error).bind(nullptr).bind(nullptr).bind(nullptr).bind(nullptr).run();
  }

 private:
  Statement& start(const Point& p, const char* state) {
    remove_.bind(p.id).run();
    return point_.bind(p.id)
        .bind(p.spec.workload)
        .bind(p.spec.scheme)
        .bind(p.spec.profile)
        .bind(static_cast<std::int64_t>(p.spec.seed))
        .bind(to_json(p.spec).dump())
        .bind(state);
  }
  Statement remove_, point_, number_;
};

}  // namespace

Merged merge(const Store& store, const std::string& path) {
  const Sweep sweep = store.load();
  Database db(path, true);
  prepare(db);
  check_digests(db);
  write_sweep(db, sweep);
  std::set<std::pair<std::string, std::string>> there;
  {
    Statement list(db, "SELECT id, state FROM point");
    while (list.step()) there.emplace(list.text(0), list.text(1));
  }
  Merged merged;
  std::vector<std::pair<const Point*, State>> fresh;
  for (const Point& p : sweep.points) {
    const State state = store.state(p);
    (state == State::done ? merged.done : state == State::failed ? merged.failed : merged.missing) += 1;
    const bool final = ended(state);
    if (final && !there.contains({p.id, to_string(state)})) fresh.emplace_back(&p, state);
    if (!final && there.contains({p.id, "failed"}))  // to be tried again
      Statement(db, "DELETE FROM point WHERE id = ?").bind(p.id).run();
  }
  Writer writer(db);
  for (std::size_t from = 0; from < fresh.size(); from += kPerTransaction) {
    run::throw_if_interrupted();
    Transaction some(db);
    for (std::size_t i = from; i < std::min(from + kPerTransaction, fresh.size()); ++i) {
      if (fresh[i].second == State::done) {
        writer.done(store, *fresh[i].first);
      } else {
        writer.failed(store, *fresh[i].first);
      }
      write_point_digest(db, fresh[i].first->id);
      ++merged.added;
    }
    some.commit();
  }
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  return merged;
}

Stored read_database(const std::string& path) {
  Database db(path, false);
  check_ours(db);
  Stored out;
  Sweep& sweep = out.sweep;
  Statement meta(db, "SELECT key, value FROM meta");
  while (meta.step()) {
    const std::string key = meta.text(0);
    if (key == "name") sweep.name = meta.text(1);
    if (key == "doc") sweep.doc = meta.text(1);
    if (key == "version") sweep.version = meta.text(1);
    if (key == "sweep") sweep.text = meta.text(1);
  }
  Statement axes(db, "SELECT axis, name, unit, label, assignments FROM axis ORDER BY axis, value");
  while (axes.step()) {
    if (static_cast<std::size_t>(axes.integer(0)) >= sweep.axes.size())
      sweep.axes.push_back({axes.text(1), axes.text(2), {}});
    try {
      sweep.axes.back().values.push_back(
          {axes.text(3), nlohmann::ordered_json::parse(axes.text(4)).get<std::vector<std::string>>()});
    } catch (const nlohmann::json::exception& error) {
      throw ConfigError(
          fmt::format("{}: axis {}: not what `sweep merge` writes: {}", path, axes.text(1), error.what()));
    }
  }
  std::unordered_map<std::string, std::size_t> places;
  Statement rows(db, "SELECT point, workload, scheme, seed, experiment FROM combination ORDER BY number");
  while (rows.step()) {
    const std::string id = rows.text(0);
    const auto [place, fresh] = places.emplace(id, sweep.points.size());
    if (fresh) sweep.points.push_back({id, {}});
    sweep.rows.push_back({place->second,
                          rows.text(1),
                          rows.text(2),
                          static_cast<std::uint64_t>(rows.integer(3)),
                          {},
                          static_cast<std::size_t>(rows.integer(4))});
  }
  Statement coordinates(db, "SELECT combination, value FROM coordinate ORDER BY combination, axis");
  while (coordinates.step()) {
    const auto row = static_cast<std::size_t>(coordinates.integer(0));
    if (row >= sweep.rows.size())
      throw ConfigError(
          fmt::format("{}: a coordinate of combination {}, there are {}", path, row, sweep.rows.size()));
    sweep.rows[row].values.push_back(static_cast<std::size_t>(coordinates.integer(1)));
  }
  Statement points(db, "SELECT id, spec, error, run FROM point");
  while (points.step()) {
    const auto place = places.find(points.text(0));
    if (place == places.end()) continue;
    const std::string where = fmt::format("{}: point {}", path, points.text(0));
    try {
      sweep.points[place->second].spec = spec_from_json(nlohmann::ordered_json::parse(points.text(1)));
      const std::string text = points.text(3);
      nlohmann::ordered_json run = text.empty() ? nullptr : nlohmann::ordered_json::parse(text);
      if (!run.is_null()) run::check_run(run, where);
      out.points[points.text(0)] = {std::move(run), points.text(2)};
    } catch (const nlohmann::json::exception& error) {
      throw ConfigError(fmt::format("{}: not what `sweep merge` writes: {}", where, error.what()));
    }
  }
  check_rows(sweep, path);
  check_digests(db);
  return out;
}

}  // namespace warpsieve::sweep
