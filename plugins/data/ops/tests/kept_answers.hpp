// kept_answers.hpp: a service over a test database, with helpers that repeat a request until its
// answer is cached.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "model/source.hpp"
#include "ops/service.hpp"
#include "tests/test_database.hpp"

namespace gantry::data {

inline constexpr std::size_t kAnswerCap = 4u << 20;
inline constexpr const char* kTables = R"sql(
  CREATE TABLE t(id INTEGER PRIMARY KEY, v INTEGER, s TEXT);
  INSERT INTO t VALUES(1, 10, 'one'), (2, 20, 'two'), (3, 30, 'three');)sql";
inline constexpr const char* kQuery = R"({"op":"query","args":{"class_name":"t","order":"-v"}})";

inline std::string text_of(const Outcome<Reply>& reply) {
  return reply ? reply->rows + " " + reply->meta : "ERROR " + reply.error().message;
}

struct KeptAnswers {
  explicit KeptAnswers(const testing::TestDatabase& db, StoreOptions options = {}) : database(db) {
    auto opened = Service::open(db.path(), std::move(options));
    EXPECT_TRUE(opened) << opened.message();
    service = std::move(*opened);
  }

  std::string ask(const std::string& request, const Budget& budget = Budget::for_ms(20'000),
                  std::size_t cap = kAnswerCap) {
    return text_of(service->run(request, {budget, cap, nullptr}));
  }
  // Whether the answer came from the cache.
  bool is_kept(const std::string& request, std::size_t cap = kAnswerCap) {
    const std::uint64_t before = service->answers().found();
    const std::string answer = ask(request, Budget::for_ms(20'000), cap);
    return service->answers().found() > before;
  }
  // Repeats the request until its answer is cached; false if it never is. A file that this process
  // has just changed is read again until its times are old enough.
  bool keeps(const std::string& request) {
    for (int i = 0; i < 8; ++i) {
      if (is_kept(request)) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(i * 3));
    }
    return false;
  }
  // The answer of a new engine with an empty cache.
  std::string fresh(const std::string& request) const {
    auto other = Service::open(database.path());
    EXPECT_TRUE(other) << other.message();
    (*other)->configure({true, false, false, 0});
    return text_of((*other)->run(request, {Budget::for_ms(20'000), kAnswerCap, nullptr}));
  }

  const testing::TestDatabase& database;
  std::unique_ptr<Service> service;
};

// A model of one file, beside the database.
inline StoreOptions with_model(const testing::TestDatabase& db, const std::string& text) {
  const std::string folder = db.directory() + "/model";
  std::filesystem::create_directory(folder);
  std::ofstream(folder + "/a.json") << text;
  auto model = model::Source::open(folder, {});
  EXPECT_TRUE(model) << model.message();
  StoreOptions options;
  options.model = std::move(*model);
  return options;
}

}  // namespace gantry::data
