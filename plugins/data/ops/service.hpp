// ops/service.hpp: the service gantry.data/1, independent of the plugin ABI: runs operations by
// name.
//
//   {"op": "query", "args": {…the tool's own arguments…}}
//
// <gantry/data.hpp> of the SDK describes the operations for other plugins. Any thread.
//
// Answers are cached, see ops/answer_cache.hpp, and returned byte for byte for the same request
// until the database, its catalog or its files change. Not cached: errors, and non-deterministic
// answers (view/scope.hpp).
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "ops/answer_cache.hpp"
#include "ops/change/change_ops.hpp"
#include "ops/request.hpp"
#include "plan/boundary.hpp"
#include "plan/row_printers.hpp"
#include "policy/recent_rules.hpp"
#include "statement/sql_verdicts.hpp"

namespace gantry::data {

// The limit of an answer where the host gives none, in bytes.
inline constexpr std::size_t kDefaultAnswerBytes = std::size_t{4} << 20U;

// The caller of a request. Each call site states all members.
struct Caller {
  Budget budget;              // its memory is the operator's setting
  std::size_t max_bytes = 0;  // the limit of the tool's whole answer
  RulesPtr rules;             // what the caller may see; null: a master without a tenant
  WriteTier writes_up_to = WriteTier::readonly;  // what the call may change
  // What it may show with dry_run, if that is more: a person approves what was shown.
  WriteTier previews_up_to = WriteTier::readonly;
  WriteOrigin origin{};  // of what it writes, for the journal
};

// It has more than twenty methods: requests and changes, and one for each part that is set before
// the first request.
class Service {
 public:
  explicit Service(StorePtr store) : store_(std::move(store)) { configure({}); }
  // With open_store().
  static Result<std::unique_ptr<Service>> open(std::string_view url, StoreOptions options = {});

  // `told` is called after each commit of a request of this service, on the request's thread. Call
  // while no request runs.
  void on_commit(std::function<void()> told) { writing_.committed = std::move(told); }

  // What is written from now on is recorded in it. Call while no request runs.
  void keep_journal(std::unique_ptr<Journal> journal) { writing_.journal = std::move(journal); }
  Journal* journal() const { return writing_.journal.get(); }  // null: there is none

  // Runs a change that is none of the named operations; its gates are its own matter. `arguments`
  // is JSON text. The budget is the caller's.
  Outcome<Reply> change(const Change& change, std::string_view arguments, const Caller& caller);

  // `warn` gets sentences for the operator's log, on any thread. Call before configure().
  void warn_with(Warn warn) { warn_ = std::move(warn); }

  // The operator's settings; call while no request runs.
  void configure(const ReadSettings& settings);

  // Never throws. `request` is JSON text.
  Outcome<Reply> run(std::string_view request, const Caller& caller);

  // The same with `instead` in place of the named operation. It is called again if the schema
  // changes during the call; its answer is not cached. A QueryError that it throws is the answer.
  using Operation = std::function<Reply(const Request&)>;
  // Narrows the request's scope to what the operation needs. It throws QueryError too.
  using Preparation = std::function<void(Request&)>;
  Outcome<Reply> run(std::string_view request, const Operation& instead, const Caller& caller);

  // Runs `work` within the bounds of a request: with its memory, and errors as its answer. `work`
  // gets the caller with these bounds. Never throws.
  Outcome<Reply> guarded(const Caller& caller,
                         const std::function<Outcome<Reply>(const Caller&)>& work);

  // Call when a request arrives or has been answered: the database is in use.
  void note_use() { used_ns_.store(Budget::now_ns(), std::memory_order_relaxed); }
  // The time since the last note_use().
  std::chrono::nanoseconds idle_for() const {
    return std::chrono::nanoseconds(Budget::now_ns() - used_ns_.load(std::memory_order_relaxed));
  }

  // For the engine's own reads, which belong to no request.
  Store& store() { return *store_; }
  const AnswerCache& answers() const { return *answers_; }
  // For the rules of callers.
  RecentRules& recent_rules() { return recent_rules_; }

 private:
  Outcome<Reply> dispatch(std::string_view request, const Operation& instead, const Caller& caller);
  struct Asked {
    std::string_view text;  // normalized
    const rapidjson::Value& arguments;
  };
  Outcome<Reply> attempt(const Preparation& prepare, const Operation& operation, bool may_keep,
                         const Asked& asked, const Caller& caller);
  Request request_of(const CatalogPtr& catalog, const Asked& asked, const Caller& caller,
                     RequestNotes& notes, Warnings& warnings);
  Outcome<Reply> change(const Change& change, const rapidjson::Value& arguments,
                        const Caller& caller);
  using Look = Result<Store::Now> (Store::*)(const Budget& budget);
  Result<Store::Now> now(Look look, const Budget& budget,
                         std::chrono::steady_clock::time_point give_up);

  StorePtr store_;
  Warn warn_;
  struct Writing {
    std::function<void()> committed;
    std::unique_ptr<Journal> journal;
  };
  Writing writing_;
  ReadSettings settings_;
  std::unique_ptr<const RowCompiler> compiler_;
  RecentRules recent_rules_;
  std::unique_ptr<RecentScopes> scopes_;
  VerifiedAssumptions memory_;
  RowPrinters printers_;
  SqlVerdicts verdicts_;
  std::unique_ptr<AnswerCache> answers_;
  std::atomic<std::int64_t> used_ns_{Budget::now_ns()};
};

// The budget of a call with the deadline `deadline_ns` (CLOCK_MONOTONIC, 0 = none): the time left
// less 5 s, or half of it if that is 10 s or less. The rest is for writing the answer.
std::int64_t database_deadline(std::int64_t now_ns, std::int64_t deadline_ns);

}  // namespace gantry::data
