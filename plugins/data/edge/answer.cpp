#include "edge/answer.hpp"

#include <charconv>

#include "ops/error_details.hpp"
#include "ops/service.hpp"

namespace gantry::data {

Budget budget_of(const CallView& call) {
  Budget budget;
  if (const auto deadline = call.deadline()) {
    budget.deadline_ns = database_deadline(
        Budget::now_ns(), deadline->time_since_epoch() / std::chrono::nanoseconds(1));
  }
  budget.cancelled = [&call] { return call.cancelled(); };
  return budget;
}

std::size_t cap_of(const CallView& call) {
  std::size_t cap = 4u << 20;
  const std::string_view text = call.property("max_answer_bytes");
  std::from_chars(text.data(), text.data() + text.size(), cap);
  return cap;
}

Status fail(const CallView& call, const DataError& error) {
  const bool internal = error.code == error_code::kInternalError;
  if (internal) call.host().error(error.message);
  return call.fail(error.code, internal ? "Internal error" : error.message, error_details(error));
}

}  // namespace gantry::data
