// The little of SQLite that is needed, with errors as ConfigError and statements that clean up.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace warpsieve::sweep {

class Database {
 public:
  /// Opens, or makes it where `create`; throws ConfigError "PATH: why".
  Database(std::string path, bool create);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  void run(const std::string& sql);
  [[noreturn]] void fail() const;
  sqlite3* handle() { return handle_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  sqlite3* handle_ = nullptr;
};

/// A prepared statement. Values are bound in order; step() is false at the end of the rows.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  Statement& bind(std::string_view text);
  Statement& bind(const char* text) { return bind(std::string_view(text)); }
  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind(std::nullptr_t);
  bool step();
  /// To its end, and ready for the next values.
  void run();
  std::string text(int column) const;
  std::int64_t integer(int column) const;
  int columns() const;

 private:
  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
  int next_ = 1;
};

}  // namespace warpsieve::sweep
