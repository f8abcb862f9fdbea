// tests/test_database.hpp: test databases, each in a directory that is deleted after the test.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>

#include "store/sqlite/store.hpp"

namespace gantry::data::testing {

// A writer with its own connection, like another program.
class Writer {
 public:
  explicit Writer(const std::string& path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &db_), SQLITE_OK);
  }
  ~Writer() { sqlite3_close(db_); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  void run(const std::string& sql) {
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK)
        << (message ? message : "") << " in " << sql;
    sqlite3_free(message);
  }

 private:
  sqlite3* db_ = nullptr;
};

class TestDatabase {
 public:
  explicit TestDatabase(const std::string& sql = "") {
    char pattern[] = "/tmp/gantry_data_XXXXXX";
    directory_ = ::mkdtemp(pattern);
    if (!sql.empty()) Writer(path()).run(sql);
  }
  ~TestDatabase() { std::filesystem::remove_all(directory_); }
  TestDatabase(const TestDatabase&) = delete;
  TestDatabase& operator=(const TestDatabase&) = delete;

  std::string directory() const { return directory_; }
  std::string path() const { return directory_ + "/data.db"; }
  std::string bytes() const {
    std::ifstream in(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // The names in the directory.
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      names.insert(entry.path().filename());
    }
    return names;
  }
  std::unique_ptr<sqlite::Store> open(StoreOptions options = {}) const {
    auto store = sqlite::Store::open(path(), options);
    EXPECT_TRUE(store.is_ok()) << store.message();
    return store.is_ok() ? std::move(*store) : nullptr;
  }

 private:
  std::string directory_;
};

inline sqlite::Connection& connection_of(const Result<LeasePtr>& lease) {
  return static_cast<sqlite::Lease&>(**lease).connection();
}

inline std::string text_of(const StoredValue& value) {
  if (value.type == StoredValue::Type::integer) return std::to_string(value.integer);
  if (value.type == StoredValue::Type::real) return std::to_string(value.real);
  return std::string(value.bytes);
}

// The text of the first column of the first row, or the error's sentence after "!".
inline std::string ask(Lease& lease, const std::string& sql) {
  auto cursor = lease.prepare({sql, {}});
  if (!cursor) return "!" + cursor.message();
  if ((*cursor)->next()) return text_of((*cursor)->row()[0]);
  return (*cursor)->status().is_ok() ? "" : "!" + (*cursor)->status().message();
}

inline std::string ask(Store& store, const std::string& sql) {
  auto lease = store.lease({});
  return lease ? ask(**lease, sql) : "!" + lease.message();
}

}  // namespace gantry::data::testing
