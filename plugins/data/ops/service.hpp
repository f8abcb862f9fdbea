// ops/service.hpp: the service gantry.data/1 without the contract: an operation by name.
//
//   {"op": "query", "args": {…the tool's own arguments…}}
//
// <gantry/data.hpp> of the SDK describes the operations for other plugins. Any thread.
//
// Answers are kept, see ops/answer_cache.hpp, and given again byte for byte to the same request
// until the database, its catalog or its files change. Not kept: errors, and what is fleeting, see
// values/fleeting.hpp.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "ops/answer_cache.hpp"
#include "ops/request.hpp"
#include "ops/row_printer.hpp"

namespace gantry::data {

class Service {
 public:
  // `path` is a file, or sqlite:FILE. Errors are sentences for the operator.
  static Result<std::unique_ptr<Service>> open(std::string_view path,
                                               sqlite::StoreOptions options = {});

  // What the operator decides about reads; before the first request.
  void configure(const ReadSettings& settings);

  // Never throws; `request` is the JSON text, `max_bytes` the cap on the tool's whole answer.
  Outcome<Reply> run(std::string_view request, const Budget& budget, std::size_t max_bytes);

  // The same with `instead` in place of the operation that the request names. It is called again
  // when the schema changes under it; its answer is not kept.
  using Operation = std::function<Outcome<Reply>(const Request&)>;
  Outcome<Reply> run(std::string_view request, const Operation& instead, const Budget& budget,
                     std::size_t max_bytes);

  // A caller asks, or has just been answered: the database is in use.
  void note_use() { used_ns_.store(Budget::now_ns(), std::memory_order_relaxed); }
  // How long ago that was.
  std::chrono::nanoseconds idle_for() const {
    return std::chrono::nanoseconds(Budget::now_ns() - used_ns_.load(std::memory_order_relaxed));
  }

  // For the engine's own looks at the database, which serve no caller.
  sqlite::Store& store() { return *store_; }
  const AnswerCache& answers() const { return *answers_; }

 private:
  explicit Service(std::unique_ptr<sqlite::Store> store) : store_(std::move(store)) {
    configure({});
  }
  Outcome<Reply> dispatch(std::string_view request, const Operation& instead, const Budget& budget,
                          std::size_t max_bytes);
  Outcome<Reply> attempt(const Operation& operation, bool may_keep, std::string_view text,
                         const rapidjson::Value& arguments, const Budget& budget,
                         std::size_t max_bytes);

  std::unique_ptr<sqlite::Store> store_;
  ReadSettings settings_;
  PlanMemory memory_;
  RowForms forms_;
  std::unique_ptr<AnswerCache> answers_;
  std::atomic<std::int64_t> used_ns_{Budget::now_ns()};
};

// The budget of a call that must be done at `deadline_ns` (CLOCK_MONOTONIC, 0 = never): the time
// left less 5 s, or half of it when that is 10 s or less, so that there is time to answer.
std::int64_t database_deadline(std::int64_t now_ns, std::int64_t deadline_ns);

}  // namespace gantry::data
