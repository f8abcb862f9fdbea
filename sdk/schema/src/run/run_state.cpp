#include "run/run_state.hpp"

#include "report/sink.hpp"

namespace gantry::schema::detail {

bool RunState::stop(const char* why) {
  if (stopped_ == nullptr) stopped_ = why;
  steps_ = 0;
  return false;
}

bool RunState::fail(const Op& op, const Frame& f, std::string_view name) {
  if (sink_ != nullptr && stopped_ == nullptr) sink_->report(op, f, name);
  return false;
}

bool RunState::fail_branches(const Op& op, const Frame& f, std::vector<Branch> branches) {
  if (sink_ != nullptr && stopped_ == nullptr) {
    sink_->report_branches(op, f, std::move(branches));
  }
  return false;
}

bool RunState::matches(std::uint32_t regex, std::string_view text) {
  if (!spend(10 + text.size() / 64)) return false;
  const auto outcome = matcher_.find(program_.regexes[regex], text, steps_);
  if (outcome == Matcher::Outcome::kTooCostly) {
    return stop("matching a pattern would take too many steps");
  }
  return outcome == Matcher::Outcome::kMatch;
}

bool RunState::has_member(const Json& object, std::string_view name) {
  if (!spend(object.MemberCount() / 8)) return false;
  const Json key(rapidjson::StringRef(name.data(), name.size()));
  return object.FindMember(key) != object.MemberEnd();
}

}  // namespace gantry::schema::detail
