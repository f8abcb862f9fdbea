#include "host/calls/input_round.hpp"

#include <algorithm>
#include <utility>

#include "host/approvals/question.hpp"
#include "host/base/json.hpp"
#include "sdk/contract/limits.hpp"
#include "sdk/contract/names.hpp"
#include "sdk/contract/raw_json.hpp"

namespace gantry::host {
namespace {

// The JSON object with these members; empty without any.
std::string object_of(const std::string& members) {
  return members.empty() ? std::string() : "{" + members + "}";
}

}  // namespace

InputRound::InputRound(const Inputs& from) : can_(from.can) {
  if (from.answers.empty()) return;
  const auto answers = contract::RawJson::parse(from.answers);
  if (!answers || !answers->is(contract::RawJson::Kind::object)) return;
  for (const auto& [key, value] : answers->members()) {
    if (contract::is_input_key(key)) given_.emplace(key, value.text());
  }
}

const InputRound::Asked* InputRound::find(std::string_view key) const {
  for (const Asked& asked : asked_) {
    if (asked.key == key) return &asked;
  }
  return nullptr;
}

Status InputRound::request(std::string_view key, std::string_view method, std::string_view params,
                           std::string_view& answer) {
  if (!contract::is_input_key(key)) return Status::invalid("a key is 1 to 64 of A-Z a-z 0-9 _ . -");
  if (key == kApprovalKey)
    return Status::invalid("the key '" + std::string(key) + "' is the host's");
  if (params.size() > contract::kMaxInputBytes)
    return {GANTRY_TOO_BIG, "params and answers are over 64 KiB"};
  Result<Question> question = read_question(method, params);
  if (!question) return question.status();
  if (const Asked* const before = find(key)) {
    return repeat(*before, question->method, question->params, answer);
  }
  if (!has(can_, question->needs)) {
    lacks_.add(question->needs);
    return {GANTRY_UNSUPPORTED, "the client did not declare that it can be asked this"};
  }
  return ask(key, std::move(question).value(), answer);
}

Status InputRound::repeat(const Asked& asked, std::string_view method, std::string_view params,
                          std::string_view& answer) const {
  if (asked.question.method != method || asked.question.params != params) {
    return Status::invalid("the key '" + asked.key + "' was used for another request");
  }
  if (!asked.answer) return {GANTRY_INPUT_REQUIRED, ""};
  answer = *asked.answer;
  return Status::ok();
}

Status InputRound::ask(std::string_view key, Question question, std::string_view& answer) {
  if (asked_.size() >= contract::kMaxInputRequests)
    return {GANTRY_TOO_BIG, "a call has 16 requests at most"};
  std::optional<std::string> given;
  const auto found = given_.find(key);
  if (found != given_.end() && is_answer(question, found->second)) given = found->second;
  const std::size_t size = question.params.size() + (given ? given->size() : 0);
  if (size > contract::kMaxInputBytes - bytes_)
    return {GANTRY_TOO_BIG, "params and answers are over 64 KiB"};
  bytes_ += size;
  asked_.push_back({std::string(key), std::move(question), std::move(given)});
  const Asked& mine = asked_.back();
  if (!mine.answer) return {GANTRY_INPUT_REQUIRED, ""};
  answer = *mine.answer;
  return Status::ok();
}

gantry_status InputRound::keep(std::string_view state) {
  if (state.size() > contract::kMaxKeptState) return GANTRY_TOO_BIG;
  kept_ = state;
  return GANTRY_OK;
}

bool InputRound::goes_on() const {
  return !kept_.empty() ||
         std::any_of(asked_.begin(), asked_.end(), [](const Asked& a) { return !a.answer; });
}

std::string InputRound::requests() const {
  std::string members;
  for (const Asked& asked : asked_) {
    if (asked.answer) continue;
    append_json_member(members, asked.key, "{");
    append_text_member(members, "method", asked.question.method);
    append_json_member(members, "params", asked.question.params);
    members += '}';
  }
  return object_of(members);
}

// The answers for the next round: first those that this entry used, then those that it did not
// request, because a later entry may request them again. The second group ends at the limits. An
// answer that was requested and did not fit its question is dropped.
std::string InputRound::answers() const {
  std::string members;
  std::size_t count = 0, size = 0;
  for (const Asked& asked : asked_) {
    if (!asked.answer) continue;
    append_json_member(members, asked.key, *asked.answer);
    ++count;
    size += asked.answer->size();
  }
  for (const auto& [key, value] : given_) {
    if (find(key) != nullptr || count >= contract::kMaxInputRequests ||
        size + value.size() > contract::kMaxInputBytes)
      continue;
    append_json_member(members, key, value);
    ++count;
    size += value.size();
  }
  return object_of(members);
}

void InputRound::put_into(ItemAnswer& answer) const {
  answer.requests = requests();
  answer.state = kept_;
  answer.answers = answers();
}

}  // namespace gantry::host
