#include "sweep/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>

#include "core/params.h"

namespace warpsieve::sweep {

namespace {

/// In WAL mode even a reader writes beside the file. In a read-only folder, a database without a writer is read as it
/// is; empty: not so here.
std::string unchanging(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::absolute(path, ignored).parent_path();
  if (access(folder.c_str(), W_OK) == 0 || access((path + "-wal").c_str(), F_OK) == 0) return "";
  std::string uri = "file:";
  for (const char c : path) uri += c == '%' || c == '?' || c == '#' ? fmt::format("%{:02x}", c) : std::string(1, c);
  return uri + "?immutable=1";
}

}  // namespace

Database::Database(std::string path, bool create) : path_(std::move(path)) {
  const std::string uri = create ? "" : unchanging(path_);
  const int flags = !uri.empty() ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
                                 : SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
  if (sqlite3_open_v2((uri.empty() ? path_ : uri).c_str(), &handle_, flags, nullptr) != SQLITE_OK) {
    const std::string why = handle_ ? sqlite3_errmsg(handle_) : "out of memory";
    sqlite3_close(handle_);
    throw ConfigError(fmt::format("{}: {}", path_, why));
  }
  sqlite3_busy_timeout(handle_, 10000);
}

Database::~Database() { sqlite3_close(handle_); }

void Database::fail() const { throw ConfigError(fmt::format("{}: {}", path_, sqlite3_errmsg(handle_))); }

void Database::run(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
  if (sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()), &statement_, nullptr) !=
      SQLITE_OK)
    database.fail();
}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::bind(std::string_view text) {
  sqlite3_bind_text64(statement_, next_++, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind(std::int64_t value) {
  sqlite3_bind_int64(statement_, next_++, value);
  return *this;
}

Statement& Statement::bind(double value) {
  sqlite3_bind_double(statement_, next_++, value);
  return *this;
}

Statement& Statement::bind(std::nullptr_t) {
  sqlite3_bind_null(statement_, next_++);
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.fail();
  return false;
}

void Statement::run() {
  while (step()) {
  }
  sqlite3_reset(statement_);
  next_ = 1;
}

std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return text ? std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))) : "";
}

int Statement::columns() const { return sqlite3_column_count(statement_); }

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }

}  // namespace warpsieve::sweep
