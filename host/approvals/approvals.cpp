#include "host/approvals/approvals.hpp"

#include <deque>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <rapidjson/document.h>

#include "host/approvals/approval_json.hpp"
#include "host/approvals/question.hpp"
#include "host/base/exact_json.hpp"
#include "host/base/ids.hpp"

namespace gantry::host {
namespace {

using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::chrono::minutes kRemembered{10};  // an ended record

milliseconds since(SteadyClock::time_point then) {
  return std::chrono::duration_cast<milliseconds>(SteadyClock::now() - then);
}

// What decides a call: the same for two agents only if both may do the same.
bool same_rights(const Agent& a, const Agent& b) {
  return a.fingerprint == b.fingerprint && a.approval == b.approval;
}

std::size_t bytes_of(const ApprovalAsk& ask) { return ask.arguments.size() + ask.preview.size(); }

// The member `rows` of a preview; nothing: it tells no number.
std::optional<std::uint64_t> rows_of(const std::string& preview) {
  rapidjson::Document document;
  if (preview.empty() || !parse_exact(preview, document) || !document.IsObject()) return {};
  const auto rows = document.FindMember("rows");
  if (rows == document.MemberEnd() || !rows->value.IsUint64()) return {};
  return rows->value.GetUint64();
}

}  // namespace

std::string_view decision_word(Decision decision) {
  constexpr std::string_view kWords[] = {"waiting",   "accepted",       "declined",
                                         "timed_out", "rights_changed", "plugin_replaced",
                                         "withdrawn", "stopped"};
  return kWords[static_cast<std::size_t>(decision)];
}

// `running`: it was taken, and its call has not ended.
struct Approvals::State {
  struct Record {
    ApprovalAsk ask;
    ApprovalVerdict verdict;
    Decided decided;
    SteadyClock::time_point opened, expires;
    std::chrono::system_clock::time_point asked;
    Timer::Id timer = 0;
    bool published = false, running = false;
  };
  using Records = std::map<std::string, Record, std::less<>>;

  State(Log& l, Metrics& m, ApprovalLimits f) : log(l), metrics(m), limits(f) {}

  Record* find(std::string_view id);
  Status room(const ApprovalAsk& ask) const;
  void leave(Record& record);
  bool decide(const std::string& id, ApprovalVerdict verdict);
  void withdraw_acceptance(const std::string& id, Record& record);
  void remember(const std::string& id);
  void forget_old();
  void report(const std::string& id, const ApprovalAsk& ask, const ApprovalVerdict& verdict);
  ApprovalSeen seen(const std::string& id, const Record& record) const;

  Log& log;
  Metrics& metrics;
  const ApprovalLimits limits;
  std::mutex mutex;
  bool operators = false;
  Records records;
  std::deque<std::pair<SteadyClock::time_point, std::string>> ended;
  std::map<std::string, std::size_t, std::less<>> by_principal;  // how many of each wait
  std::size_t waiting = 0, bytes = 0;
  ChangeSignal changed;
};

Approvals::State::Record* Approvals::State::find(std::string_view id) {
  const auto at = records.find(id);
  return at == records.end() ? nullptr : &at->second;
}

Status Approvals::State::room(const ApprovalAsk& ask) const {
  if (bytes_of(ask) > kMaxShown) {
    return {GANTRY_TOO_BIG,
            "The call is too large to show to a person: its arguments and preview "
            "have " +
                std::to_string(bytes_of(ask)) + " bytes, and " + std::to_string(kMaxShown) +
                " can be shown. Change less in one call"};
  }
  const auto here = by_principal.find(ask.principal);
  const bool share = here == by_principal.end() || here->second < limits.most_per_principal;
  if (share && waiting < limits.most && bytes + bytes_of(ask) <= limits.bytes) return {};
  return {GANTRY_BUSY, "Too many calls wait for approval already; wait until those are decided"};
}

// It does not wait any more: what a person was shown is dropped.
void Approvals::State::leave(Record& record) {
  --waiting;
  bytes -= bytes_of(record.ask);
  const auto here = by_principal.find(record.ask.principal);
  if (--here->second == 0) by_principal.erase(here);
}

bool Approvals::State::decide(const std::string& id, ApprovalVerdict verdict) {
  Decided decided;
  ApprovalAsk ask;
  {
    std::lock_guard lock(mutex);
    Record* const record = find(id);
    if (record == nullptr || record->verdict.decision != Decision::waiting) return false;
    verdict.waited = since(record->opened);
    record->verdict = verdict;
    decided = std::exchange(record->decided, nullptr);
    leave(*record);
    ask = {record->ask.principal,     record->ask.agent, record->ask.tool, {}, {}, 0, {}, {}, {},
           record->ask.correlation_id};
    if (verdict.decision != Decision::accepted) remember(id);
  }
  changed.raise();
  report(id, ask, verdict);
  if (decided) decided(verdict);
  return true;
}

// Its client does not want the call any more that an operator accepted.
void Approvals::State::withdraw_acceptance(const std::string& id, Record& record) {
  record.verdict.decision = Decision::declined;
  record.verdict.by = "client";
  remember(id);
}

void Approvals::State::remember(const std::string& id) {
  Record& record = *find(id);
  record.ask.arguments = record.ask.preview = record.ask.plan_token = {};
  ended.emplace_back(SteadyClock::now() + kRemembered, id);
  forget_old();
}

void Approvals::State::forget_old() {
  const auto now = SteadyClock::now();
  while (!ended.empty() && (ended.front().first <= now || ended.size() > limits.most)) {
    records.erase(ended.front().second);
    ended.pop_front();
  }
}

void Approvals::State::report(const std::string& id, const ApprovalAsk& ask,
                              const ApprovalVerdict& verdict) {
  metrics.approval_decided(decision_word(verdict.decision));
  std::vector<Field> fields{{"approval", id},
                            {"decision", decision_word(verdict.decision)},
                            {"tool", ask.tool},
                            {"agent", ask.agent->name},
                            {"principal", ask.principal},
                            {"waited_ms", static_cast<std::int64_t>(verdict.waited.count())}};
  if (!verdict.by.empty()) fields.emplace_back("by", verdict.by);
  if (!verdict.note.empty()) fields.emplace_back("note", verdict.note);
  if (!ask.correlation_id.empty()) fields.emplace_back("correlation_id", ask.correlation_id);
  log.write(Level::info, "approval", fields);
}

ApprovalSeen Approvals::State::seen(const std::string& id, const Record& record) const {
  const auto left = std::chrono::duration_cast<milliseconds>(record.expires - SteadyClock::now());
  return {id, record.ask, record.asked, left, since(record.opened)};
}

Approvals::Approvals(Log& log, Metrics& metrics, ApprovalLimits limits)
    : state_(std::make_shared<State>(log, metrics, limits)) {}

Approvals::~Approvals() = default;

void Approvals::set_operators(bool reachable) {
  std::lock_guard lock(state_->mutex);
  state_->operators = reachable;
}

bool Approvals::has_operators() const {
  std::lock_guard lock(state_->mutex);
  return state_->operators;
}

Result<std::string> Approvals::open(ApprovalAsk ask, Decided decided) {
  std::string id = random_hex(8);
  std::lock_guard lock(state_->mutex);
  state_->forget_old();
  if (Status status = state_->room(ask); !status) return status;
  State::Record record;
  record.opened = SteadyClock::now();
  record.expires = record.opened + state_->limits.timeout;
  record.asked = std::chrono::system_clock::now();
  record.decided = std::move(decided);
  record.ask = std::move(ask);
  const State::Record& kept = state_->records.emplace(id, std::move(record)).first->second;
  ++state_->by_principal[kept.ask.principal];
  ++state_->waiting;
  state_->bytes += bytes_of(kept.ask);
  return id;
}

void Approvals::publish(const std::string& id) {
  std::unique_lock lock(state_->mutex);
  State::Record* const record = state_->find(id);
  if (record == nullptr || record->verdict.decision != Decision::waiting) return;
  record->published = true;
  record->timer = timer_.set(record->expires, [state = state_.get(), id] {
    if (state->decide(id, {.decision = Decision::timed_out})) return;
    std::lock_guard again(state->mutex);  // accepted, and its client did not come back
    State::Record* const late = state->find(id);
    if (late == nullptr || late->running || late->verdict.decision != Decision::accepted) return;
    late->verdict.decision = Decision::timed_out;
    state->remember(id);
  });
  lock.unlock();
  state_->changed.raise();
}

bool Approvals::answer(const std::string& id, std::string_view principal, bool accept) {
  {
    std::lock_guard lock(state_->mutex);
    State::Record* const record = state_->find(id);
    if (record == nullptr || record->ask.principal != principal) return false;
    const bool idle = record->verdict.decision == Decision::accepted && !record->running;
    if (!accept && idle) {
      state_->withdraw_acceptance(id, *record);
      return true;
    }
  }
  return state_->decide(
      id, {.decision = accept ? Decision::accepted : Decision::declined, .by = "client"});
}

Status Approvals::answer_as_operator(const std::string& id, bool accept, std::string by,
                                     std::string note) {
  {
    std::lock_guard lock(state_->mutex);
    const State::Record* const record = state_->find(id);
    const bool known = record != nullptr && record->published;
    if (!known) return Status::not_found("no call waits for approval as '" + id + "'");
    if (record->ask.principal == by) {
      return Status::denied("a call cannot be approved by the credential that made it");
    }
  }
  const Decision decision = accept ? Decision::accepted : Decision::declined;
  if (state_->decide(id, {decision, std::move(by), std::move(note)})) return {};
  return {GANTRY_FAILED, "the approval '" + id + "' is decided already"};
}

bool Approvals::end(const std::string& id, Decision why) {
  return state_->decide(id, {.decision = why});
}

void Approvals::end_all() {
  std::vector<std::string> ids;
  {
    std::lock_guard lock(state_->mutex);
    for (const auto& [id, record] : state_->records) ids.push_back(id);
  }
  for (const std::string& id : ids) end(id, Decision::stopped);
}

void Approvals::take_agents(const PrincipalNames& withdrawn, const Successor& successor) {
  std::vector<std::string> ids;
  {
    std::lock_guard lock(state_->mutex);
    for (const auto& [id, record] : state_->records) {
      const AgentPtr now = successor(record.ask.principal, record.ask.agent);
      const bool changed = now != nullptr && !same_rights(*now, *record.ask.agent);
      if (changed || withdrawn.contains(record.ask.principal)) ids.push_back(id);
    }
  }
  for (const std::string& id : ids) end(id, Decision::rights_changed);
}

std::optional<Approvals::Standing> Approvals::look(const std::string& id,
                                                   std::string_view principal) const {
  std::lock_guard lock(state_->mutex);
  const State::Record* const record = state_->find(id);
  if (record == nullptr || record->ask.principal != principal) return std::nullopt;
  Standing standing{record->verdict, {}};
  if (record->verdict.decision == Decision::waiting) {
    standing.requests = approval_requests(record->ask);
  }
  return standing;
}

Result<ApprovalPassPtr> Approvals::take(const std::string& id, const Taker& taker) {
  const Status denied(GANTRY_DENIED, "the call is not approved");
  std::lock_guard lock(state_->mutex);
  State::Record* const record = state_->find(id);
  if (record == nullptr || record->ask.principal != taker.principal || record->running ||
      record->verdict.decision != Decision::accepted) {
    return denied;
  }
  const bool rights = same_rights(taker.agent, *record->ask.agent);
  const bool same =
      record->ask.plugin == taker.plugin && record->ask.generation == taker.generation;
  if (!rights || !same) {
    record->verdict.decision = rights ? Decision::plugin_replaced : Decision::rights_changed;
    state_->remember(id);
    return denied;
  }
  record->running = true;
  timer_.drop(std::exchange(record->timer, 0));
  return ApprovalPassPtr(new ApprovalPass(record->ask, record->verdict));
}

void Approvals::lend_back(const std::string& id, milliseconds life) {
  std::lock_guard lock(state_->mutex);
  State::Record* const record = state_->find(id);
  if (record == nullptr || !std::exchange(record->running, false)) return;
  record->expires = SteadyClock::now() + life;
  record->timer = timer_.set(record->expires, [state = state_.get(), id] {
    std::lock_guard again(state->mutex);
    State::Record* const late = state->find(id);
    if (late != nullptr && !late->running) state->records.erase(id);
  });
}

void Approvals::finish(const std::string& id) {
  std::lock_guard lock(state_->mutex);
  State::Record* const record = state_->find(id);
  if (record != nullptr && record->running) state_->records.erase(id);
}

ApprovalPassPtr Approvals::pass_below(const ApprovalAsk& ask) {
  const auto rows = rows_of(ask.preview);
  if (!rows || !ask.agent->approval.rows || *rows > *ask.agent->approval.rows) return nullptr;
  return ApprovalPassPtr(new ApprovalPass(ask, {.decision = Decision::accepted}));
}

std::string Approvals::list() const {
  std::vector<ApprovalSeen> all;
  std::lock_guard lock(state_->mutex);
  for (const auto& [id, record] : state_->records) {
    const bool waits = record.published && record.verdict.decision == Decision::waiting;
    if (waits) all.push_back(state_->seen(id, record));
  }
  return approvals_json(std::move(all));
}

Result<std::string> Approvals::show(const std::string& id) const {
  std::lock_guard lock(state_->mutex);
  const State::Record* const record = state_->find(id);
  if (record != nullptr && record->published && record->verdict.decision == Decision::waiting) {
    return approval_json(state_->seen(id, *record), true);
  }
  return Status::not_found("no call waits for approval as '" + id + "'");
}

ChangeSignal& Approvals::changed() const { return state_->changed; }

std::size_t Approvals::waiting() const {
  std::lock_guard lock(state_->mutex);
  return state_->waiting;
}

}  // namespace gantry::host
