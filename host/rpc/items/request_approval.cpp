#include "host/rpc/items/request_approval.hpp"

#include <utility>

#include "host/approvals/policy.hpp"
#include "host/approvals/question.hpp"
#include "host/base/exact_json.hpp"
#include "host/base/json.hpp"
#include "host/rpc/core.hpp"
#include "host/rpc/items/request_answer.hpp"
#include "host/rpc/message/era.hpp"
#include "sdk/contract/raw_json.hpp"

namespace gantry::host::rpc {
namespace {

using Step = RequestApproval::Step;

constexpr std::string_view kToken = "plan_token";

bool is_good(const ItemAnswer& answer) {
  return answer.kind == ItemAnswer::Kind::result && !answer.is_error;
}

std::string plugin_name(const Item& item) {
  return item.plugin ? item.plugin->manifest().name : std::string();
}

std::uint64_t generation_of(const Item& item) {
  return item.plugin ? item.plugin->generation() : 0;
}

// A preview as people see it, and its plan token, which they need not see.
void take_preview(const ItemAnswer& answer, ApprovalAsk& ask) {
  const auto parsed = contract::RawJson::parse(answer.structured);
  if (!parsed || !parsed->is(contract::RawJson::Kind::object)) {
    ask.preview = "{\"content\":[" + answer.content + "]}";
    return;
  }
  ask.preview = "{";
  for (const auto& [name, value] : parsed->members()) {
    if (name == kToken && value.is(contract::RawJson::Kind::string)) {
      ask.plan_token = value.string();
      continue;
    }
    append_json_member(ask.preview, name, value.text());
  }
  ask.preview += '}';
}

std::string_view sentence_of(Decision decision) {
  switch (decision) {
    case Decision::declined:
      return "A person declined this call, so it was not run. Do not repeat it unless they ask for "
             "it";
    case Decision::rights_changed:
      return "The rights of this agent changed while the call waited for approval, so it was not "
             "run. Call the tool again";
    case Decision::plugin_replaced:
      return "The tool was replaced while the call waited for approval, so it was not run. Call "
             "the tool again";
    case Decision::stopped:
      return "The server stopped while the call waited for approval, so it was not run";
    default:
      return "No person approved this call in time, so it was not run. Call the tool again when a "
             "person can answer";
  }
}

}  // namespace

Step RequestApproval::resume(const std::string& id, std::string& answers) {
  const auto accept = approval_answer(answers);
  answers = without_approval_answer(answers);
  {
    std::lock_guard lock(mutex_);
    record_.id = id;
  }
  if (accept) core_.approvals->answer(id, parts_.principal, *accept);
  auto standing = core_.approvals->look(id, parts_.principal);
  if (!standing) return refused({.decision = Decision::timed_out});
  if (standing->verdict.decision != Decision::waiting) return decided(standing->verdict);
  state_ = State::asking;
  return {Step::Kind::answer_ask, {}, std::move(standing->requests)};
}

Step RequestApproval::after(ItemAnswer&& answer, const Item* item, bool is_task,
                            Approvals::Decided on_decided) {
  if (state_ == State::previewing) {
    return previewed(std::move(answer), *item, is_task, std::move(on_decided));
  }
  if (answer.kind != ItemAnswer::Kind::approval_required) {
    return {Step::Kind::pass_on, std::move(answer)};
  }
  if (state_ != State::none) return refused({.decision = Decision::plugin_replaced});
  return begin(std::move(answer), *item, is_task, std::move(on_decided));
}

Step RequestApproval::begin(ItemAnswer&& required, const Item& item, bool is_task,
                            Approvals::Decided on_decided) {
  ask_.arguments = std::move(required.arguments);
  above_rows_ = required.above_rows;
  auto preview = preview_arguments(item.spec, ask_.arguments);
  if (!preview) return ask(item, is_task, std::move(on_decided));
  state_ = State::previewing;
  entered_ = std::move(*preview);
  return {Step::Kind::enter};
}

// A call whose preview fails would fail too: it is refused without asking a person.
Step RequestApproval::previewed(ItemAnswer&& preview, const Item& item, bool is_task,
                                Approvals::Decided on_decided) {
  state_ = State::none;
  if (preview.kind == ItemAnswer::Kind::input_required) {
    return unavailable(
        "The tool asks for input before it can show what it would do, so no person "
        "can approve it");
  }
  if (!is_good(preview)) return {Step::Kind::end, std::move(preview)};
  take_preview(preview, ask_);
  if (ask_.plan_token.empty() && has_argument(item.spec, kToken)) {
    return unavailable(
        "The tool's preview has no plan_token, so nothing binds the call to what a "
        "person would be shown");
  }
  return ask(item, is_task, std::move(on_decided));
}

Step RequestApproval::ask(const Item& item, bool is_task, Approvals::Decided on_decided) {
  ask_.principal = parts_.principal;
  ask_.agent = parts_.agent;
  ask_.tool = item.spec.name;
  ask_.title = item.spec.title;
  ask_.plugin = plugin_name(item);
  ask_.generation = generation_of(item);
  ask_.correlation_id = parts_.correlation_id;
  if (above_rows_ && (pass_ = Approvals::pass_below(ask_))) {
    state_ = State::decided;
    return {Step::Kind::enter};
  }
  const bool asks_client =
      parts_.can.elicit_form && !is_task && parts_.agent->approval.by == Approval::By::client;
  if (!asks_client && !core_.approvals->has_operators()) {
    return unavailable(
        "This call needs a person's approval, and this client cannot ask one. Use a "
        "client that supports elicitation");
  }
  const bool modern = era_of(parts_.revision) == Era::modern;
  std::string requests = asks_client ? approval_requests(ask_) : std::string();
  std::lock_guard lock(mutex_);
  if (record_.stopped) return {Step::Kind::end_stopped};
  auto id = core_.approvals->open(std::move(ask_),
                                  asks_client && modern ? nullptr : std::move(on_decided));
  if (!id) return unavailable(id.message());
  record_.id = std::move(*id);
  state_ = State::asking;
  if (!asks_client) return {Step::Kind::wait};
  return {modern ? Step::Kind::answer_ask : Step::Kind::ask_client, {}, std::move(requests)};
}

Step RequestApproval::decided(const ApprovalVerdict& verdict) {
  if (verdict.decision == Decision::withdrawn) return {Step::Kind::nothing};
  if (verdict.decision != Decision::accepted) return refused(verdict);
  std::lock_guard lock(mutex_);
  record_.verdict = verdict;
  state_ = State::decided;
  return {Step::Kind::enter};
}

Step RequestApproval::on_client(std::string_view answers) {
  std::string id;
  {
    std::lock_guard lock(mutex_);
    id = record_.id;
  }
  core_.approvals->answer(id, parts_.principal, approval_answer(answers).value_or(false));
  return {Step::Kind::nothing};
}

Step RequestApproval::on_no_client(ItemAnswer&& answer) {
  if (!stop()) return {Step::Kind::nothing};
  return {Step::Kind::end, std::move(answer)};
}

void RequestApproval::published() {
  std::string id;
  {
    std::lock_guard lock(mutex_);
    id = record_.id;
    record_.handed_over = era_of(parts_.revision) == Era::modern &&
                          parts_.agent->approval.by == Approval::By::client &&
                          parts_.can.elicit_form;
  }
  core_.approvals->publish(id);
}

Step RequestApproval::check(const Item* item) {
  if (state_ != State::decided) return {};
  if (pass_) {
    const bool same =
        item != nullptr && item->plugin && generation_of(*item) == pass_->generation();
    return same ? Step{} : refused({.decision = Decision::plugin_replaced});
  }
  const std::string id = carried();
  const std::string plugin = item != nullptr ? plugin_name(*item) : std::string();
  const Approvals::Taker taker{parts_.principal, *parts_.agent, plugin,
                               item != nullptr ? generation_of(*item) : 0};
  if (auto pass = core_.approvals->take(id, taker)) {
    pass_ = std::move(*pass);
    return {};
  }
  const auto standing = core_.approvals->look(id, parts_.principal);
  const bool known = standing && standing->verdict.decision != Decision::accepted;
  return refused(known ? standing->verdict : ApprovalVerdict{.decision = Decision::timed_out});
}

void RequestApproval::put_into(ItemCall& call) {
  if (state_ != State::previewing && !pass_) return;
  if (pass_) entered_ = pass_->arguments();
  if (!parse_exact(entered_, parsed_)) return;
  call.arguments = entered_;
  call.parsed = &parsed_;
  call.pass = pass_;
  if (!pass_) call.inputs = {};  // a preview asks nothing
}

std::string RequestApproval::carried() const {
  std::lock_guard lock(mutex_);
  return record_.id;
}

void RequestApproval::lend_back(std::chrono::milliseconds life) {
  if (pass_) core_.approvals->lend_back(carried(), life);
}

bool RequestApproval::stop() {
  std::string id;
  {
    std::lock_guard lock(mutex_);
    record_.stopped = true;
    if (record_.handed_over) return false;
    id = record_.id;
  }
  return !id.empty() && core_.approvals->end(id, Decision::withdrawn);
}

void RequestApproval::finish() {
  if (pass_) core_.approvals->finish(carried());
}

std::optional<ApprovalVerdict> RequestApproval::verdict() const {
  std::lock_guard lock(mutex_);
  return record_.verdict;
}

Step RequestApproval::refused(const ApprovalVerdict& verdict) {
  {
    std::lock_guard lock(mutex_);
    record_.verdict = verdict;
  }
  state_ = State::decided;
  ItemAnswer answer =
      failed_answer(parts_, "approval_declined", std::string(sentence_of(verdict.decision)));
  answer.details = "{\"kind\":\"" + std::string(decision_word(verdict.decision)) + "\"}";
  return {Step::Kind::end, std::move(answer)};
}

Step RequestApproval::unavailable(std::string sentence) const {
  return {Step::Kind::end, failed_answer(parts_, "approval_unavailable", std::move(sentence))};
}

}  // namespace gantry::host::rpc
