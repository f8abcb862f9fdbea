// A database that a test creates by SQL and queries through gantry.data/1; deleted after the test.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include "ops/error_details.hpp"
#include "ops/service.hpp"

namespace gantry::data {

class SmallDatabase : public ::testing::Test {
 protected:
  void make(const char* sql) {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            ("gantry-" + std::to_string(::getpid()) + "-" + test->test_suite_name() + "-" +
             test->name() + name_ + ".db");
    std::filesystem::remove(path_);
    run_sql(sql);
    auto service = Service::open(path_.string());
    ASSERT_TRUE(service) << service.message();
    service_ = std::move(*service);
    configure({});
  }
  // The answers of most tests show ids, pointers and dates in the form `parse`.
  void configure(ReadSettings settings, JsonDialect form = JsonDialect::parse) {
    settings.row_form = form;
    service_->configure(settings);
  }
  void TearDown() override {
    service_.reset();
    std::filesystem::remove(path_);
  }

  void run_sql(const char* sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA foreign_keys=off", nullptr, nullptr, nullptr);
    char* error = nullptr;
    ASSERT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, &error), SQLITE_OK) << error;
    sqlite3_close(db);
  }

  // The rows and meta, or the error.
  std::string ask(const std::string& op, const std::string& args) {
    auto reply = service_->run(R"({"op":")" + op + R"(","args":)" + args + "}",
                               {Budget::for_ms(60'000), 4u << 20, rules_, tier_});
    if (reply) return reply->rows + reply->meta;
    details_ = error_details(reply.error());
    return "ERROR " + reply.error().code + ": " + reply.error().message;
  }

  std::string name_;  // of one of several databases of a test
  std::filesystem::path path_;
  std::unique_ptr<Service> service_;
  RulesPtr rules_;                        // of the caller; null: everything
  WriteTier tier_ = WriteTier::readonly;  // of the caller
  std::string details_;                   // of the last error
};

}  // namespace gantry::data
