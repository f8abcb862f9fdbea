// ops/change/tests/written_database.hpp: a small database that a service may write, with a model.
#pragma once

#include <gmock/gmock.h>

#include "ops/tests/ruled_database.hpp"

namespace gantry::data {

class WrittenDatabase : public RuledDatabase {
 protected:
  void SetUp() override {
    rights_ = {true, true};
    tier_ = WriteTier::admin;
  }

  // The first column of the first row, as another program reads it; "NULL" and "no row" too.
  std::string sql(const std::string& text) {
    sqlite3* db = nullptr;
    // Another process may write. For an instant its journal may look like one of a process that
    // was killed, for which a read-only connection has no remedy.
    EXPECT_EQ(sqlite3_open_v2(path_.c_str(), &db, SQLITE_OPEN_READWRITE, nullptr), SQLITE_OK);
    sqlite3_busy_timeout(db, 30'000);
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(db, text.c_str(), -1, &statement, nullptr), SQLITE_OK)
        << sqlite3_errmsg(db);
    std::string value = "no row";
    if (sqlite3_step(statement) == SQLITE_ROW) {
      const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
      value = bytes == nullptr ? "NULL" : bytes;
    }
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return value;
  }

  // The member of a JSON answer, unquoted: of `versions` and `version`.
  static std::string text_in(const std::string& answer, const std::string& member) {
    const auto at = answer.find("\"" + member + "\":\"");
    if (at == answer.npos) return {};
    std::string text;
    for (std::size_t i = at + member.size() + 4; answer[i] != '"'; ++i) {
      if (answer[i] == '\\') ++i;
      text += answer[i];
    }
    return text;
  }
  static std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? "\\\"" : std::string(1, c);
    return out + "\"";
  }
};

}  // namespace gantry::data
