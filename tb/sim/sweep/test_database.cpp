// One SQLite file from the results of a sweep.
#include <gmock/gmock.h>

#include "core/params.h"
#include "scratch.h"
#include "sweep/database.h"
#include "sweep/pool.h"
#include "sweep/sqlite.h"
#include "support/tree.h"

namespace warpsieve::tb {
namespace {

using sweep::Store;
using ::testing::HasSubstr;

/// Every table, every row, in order.
std::string dump(const std::string& path) {
  sweep::Database db(path, false);
  std::string out;
  for (const char* table : {"meta", "axis", "point", "statistic", "combination", "coordinate"}) {
    sweep::Statement rows(db, std::string("SELECT * FROM ") + table + " ORDER BY 1, 2");
    const int columns = std::string(table) == "point"         ? 12
                        : std::string(table) == "statistic"   ? 3
                        : std::string(table) == "combination" ? 6
                                                              : 2;
    while (rows.step()) {
      out += table;
      for (int c = 0; c < columns; ++c) out += "|" + rows.text(c);
      out += '\n';
    }
  }
  return out;
}

std::int64_t number(const std::string& path, const std::string& sql) {
  sweep::Database db(path, false);
  sweep::Statement rows(db, sql);
  return rows.step() ? rows.integer(0) : -1;
}

class Merge : public Folder {
 protected:
  Merge() : sweep_(small_sweep()), store_(path("s")) { store_.create(sweep_); }
  sweep::Sweep sweep_;
  Store store_;
  std::string db_ = path("s.sqlite");
};

TEST_F(Merge, HoldsEveryPointWithItsStatisticsAndCoordinates) {
  run_points(store_, sweep_.points, {.jobs = 2});
  const sweep::Merged merged = merge(store_, db_);
  EXPECT_EQ(merged.done, 8u);
  EXPECT_EQ(merged.added, 8u);
  EXPECT_EQ(merged.missing, 0u);
  EXPECT_EQ(number(db_, "SELECT count(*) FROM combination"), 12);
  for (const sweep::Point& p : sweep_.points) {
    const auto run = store_.result(p);
    const std::string id = "'" + p.id + "'";
    EXPECT_EQ(number(db_, "SELECT cycles FROM point WHERE id = " + id), run["cycles"].get<std::int64_t>());
    EXPECT_EQ(number(db_, "SELECT value FROM statistic WHERE name = 'off_chip.read_only' AND point = " + id),
              run["off_chip_requests"]["read_only"].get<std::int64_t>());
    EXPECT_EQ(number(db_, "SELECT value FROM statistic WHERE name = 'l2.read_hits' AND point = " + id),
              run["counters"]["l2.read_hits"].get<std::int64_t>());
  }
  // As README.md tells: IPC of cmd over the FIFO, relative to the baseline of the same workload.
  EXPECT_EQ(number(db_, R"(SELECT count(*) FROM combination c JOIN coordinate x ON x.combination = c.number
      JOIN axis a ON a.axis = x.axis AND a.value = x.value JOIN point p ON p.id = c.point
      WHERE c.scheme = 'cmd' AND a.name = 'cmd.fifo_entries' AND a.label = '4' AND p.state = 'done')"),
            2);
  sweep::Database db(db_, false);
  sweep::Statement mode(db, "PRAGMA journal_mode");
  ASSERT_TRUE(mode.step());
  EXPECT_EQ(mode.text(0), "wal");
}

TEST_F(Merge, TheQueryOfTheReadmeGivesEveryValueOfTheAxis) {
  run_points(store_, sweep_.points, {.jobs = 2});
  merge(store_, db_);
  const std::string readme = read(tb::in_sources("sim_cpp/sweep/README.md"));
  const std::size_t from = readme.find("```sql\n") + 7;
  sweep::Database db(db_, false);
  sweep::Statement rows(db, readme.substr(from, readme.find("```", from) - from));
  std::vector<std::string> seen;
  while (rows.step()) seen.push_back(rows.text(0) + " " + rows.text(3));
  EXPECT_THAT(seen, ::testing::ElementsAre("gather 1", "gather 2", "gather 4", "vecadd 1", "vecadd 2", "vecadd 4"));
}

TEST_F(Merge, TheQueryOfTheReadmeComparesEqualSizes) {
  write("a.toml", "[[run]]\nworkload = \"gather\"\nthreads = 128\n");
  write("b.toml", "[[run]]\nworkload = \"gather\"\nthreads = 512\n");
  const std::string file = write("two.toml",
                                 "scale = \"small\"\nschemes = [\"baseline\", \"cmd\"]\n"
                                 "suites = [\"a.toml\", \"b.toml\", \"a.toml\"]\n"
                                 "[[axis]]\nparameter = \"cmd.fifo_entries\"\nvalues = [1]\n");
  const sweep::Sweep sweep = sweep::read_sweep(file);
  const Store store(path("two"));
  store.create(sweep);
  run_points(store, sweep.points, {.jobs = 2});
  merge(store, db_);
  const std::string readme = read(tb::in_sources("sim_cpp/sweep/README.md"));
  const std::size_t from = readme.find("```sql\n") + 7;
  sweep::Database db(db_, false);
  sweep::Statement rows(db, readme.substr(from, readme.find("```", from) - from));
  for (const std::size_t base : {0, 2}) {  // the points: baseline and cmd of 128 threads, then of 512
    const auto ipc = [&](std::size_t p) { return store.result(sweep.points[p])["ipc"].get<double>(); };
    ASSERT_TRUE(rows.step());
    EXPECT_EQ(rows.integer(1), static_cast<std::int64_t>(base / 2 + 1));
    EXPECT_NEAR(std::stod(rows.text(4)), ipc(base + 1) / ipc(base), 1e-9);
  }
  EXPECT_FALSE(rows.step());
}

TEST_F(Merge, ReadsBackWhatWasMerged) {
  const std::vector<sweep::Point> some(sweep_.points.begin(), sweep_.points.begin() + 3);
  run_points(store_, some, {});
  store_.write_failure(sweep_.points[3], {"it broke", ""});
  merge(store_, db_);
  const sweep::Stored stored = sweep::read_database(db_);
  EXPECT_EQ(stored.sweep.name, sweep_.name);
  EXPECT_EQ(stored.sweep.version, sweep_.version);
  EXPECT_EQ(stored.sweep.text, sweep_.text);
  ASSERT_EQ(stored.sweep.axes.size(), 1u);
  EXPECT_EQ(stored.sweep.axes[0].values[2].label, "4");
  EXPECT_THAT(stored.sweep.axes[0].values[2].set, ::testing::ElementsAre("cmd.fifo_entries=4"));
  ASSERT_EQ(stored.sweep.rows.size(), sweep_.rows.size());
  for (std::size_t i = 0; i < sweep_.rows.size(); ++i) {
    EXPECT_EQ(stored.sweep.points[stored.sweep.rows[i].point].id, sweep_.points[sweep_.rows[i].point].id);
    EXPECT_EQ(stored.sweep.rows[i].values, sweep_.rows[i].values);
    EXPECT_EQ(stored.sweep.rows[i].experiment, sweep_.rows[i].experiment);
  }
  EXPECT_EQ(stored.points.size(), 4u);
  EXPECT_EQ(stored.points.at(sweep_.points[1].id).run, store_.result(sweep_.points[1]));
  EXPECT_EQ(stored.points.at(sweep_.points[3].id).error, "it broke");
  EXPECT_THROW(sweep::read_database(path("none.sqlite")), ConfigError);
}

TEST_F(Merge, InStepsOrAtOnceIsTheSame) {
  const std::vector<sweep::Point> some(sweep_.points.begin(), sweep_.points.begin() + 3);
  run_points(store_, some, {});
  EXPECT_EQ(merge(store_, db_).missing, 5u);
  EXPECT_EQ(merge(store_, db_).added, 0u);
  run_points(store_, sweep_.points, {.jobs = 2});
  EXPECT_EQ(merge(store_, db_).added, 5u);
  merge(store_, path("at_once.sqlite"));
  EXPECT_EQ(dump(db_), dump(path("at_once.sqlite")));
}

TEST_F(Merge, FailedPointsHaveTheirErrorUntilTheyAreTriedAgain) {
  const sweep::Point& p = sweep_.points[2];
  store_.write_failure(p, {"something broke", "something broke\nat length"});
  EXPECT_EQ(merge(store_, db_).failed, 1u);
  EXPECT_EQ(number(db_, "SELECT count(*) FROM point WHERE state = 'failed' AND error = 'something broke'"), 1);
  store_.forget_failure(p);
  EXPECT_EQ(merge(store_, db_).failed, 0u);
  EXPECT_EQ(number(db_, "SELECT count(*) FROM point"), 0);
  run_points(store_, sweep_.points, {});
  merge(store_, db_);
  EXPECT_EQ(number(db_, "SELECT count(*) FROM point WHERE state = 'done'"), 8);
}

TEST_F(Merge, PointsThatLeftTheSweepLeaveTheDatabase) {
  run_points(store_, sweep_.points, {.jobs = 2});
  merge(store_, db_);
  const std::string smaller = std::string(kSmallSweep).replace(std::string(kSmallSweep).find("1, 2, 4"), 7, "1, 2");
  store_.create(sweep::parse_sweep(smaller, "small.toml"));
  EXPECT_EQ(merge(store_, db_).done, 6u);
  EXPECT_EQ(number(db_, "SELECT count(*) FROM point"), 6);
  EXPECT_EQ(number(db_, "SELECT count(DISTINCT point) FROM statistic"), 6);
}

TEST_F(Merge, AForeignFileStaysAsItIs) {
  write("other.sqlite",
        "not a database, but a text of more than a hundred bytes, so that SQLite looks at the header "
        "of the file and refuses what it finds there.");
  const std::string before = read(path("other.sqlite"));
  EXPECT_THROW(merge(store_, path("other.sqlite")), ConfigError);
  EXPECT_EQ(read(path("other.sqlite")), before);
  { sweep::Database(path("foreign.sqlite"), true).run("CREATE TABLE mine(x)"); }
  try {
    merge(store_, path("foreign.sqlite"));
    ADD_FAILURE() << "merged into it";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a database of something else"));
  }
  EXPECT_EQ(number(path("foreign.sqlite"), "SELECT count(*) FROM sqlite_master"), 1);
  EXPECT_THROW(merge(store_, "/nonexistent/x.sqlite"), ConfigError);
}

TEST_F(Merge, ACutResultIsMissing) {
  run_points(store_, sweep_.points, {.jobs = 2});
  const std::string file = "s/results/" + sweep_.points[5].id + ".json";
  write(file, read(path(file)).substr(0, 100));
  const auto merged = merge(store_, db_);
  EXPECT_EQ(merged.done, 7u);
  EXPECT_EQ(merged.missing, 1u);
  EXPECT_EQ(store_.cut_result(sweep_.points[5]), path(file));
}

TEST_F(Merge, ADamagedResultIsNamed) {
  run_points(store_, sweep_.points, {.jobs = 2});
  const std::string file = "s/results/" + sweep_.points[5].id + ".json", whole = read(path(file));
  for (const std::string& damaged : {"{" + whole.substr(whole.find("\"runs\"") + 6), std::string("{\n}\n")}) {
    write(file, damaged);  // its end is there
    try {
      merge(store_, db_);
      ADD_FAILURE() << "merged";
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), HasSubstr(path(file)));
    }
  }
}

}  // namespace
}  // namespace warpsieve::tb
