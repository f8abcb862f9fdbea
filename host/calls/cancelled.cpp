#include "host/calls/cancelled.hpp"

namespace gantry::host {

ItemAnswer cancelled_answer(CancelReason reason) {
  static constexpr std::string_view kReasons[] = {"notifications_cancelled", "client_disconnected",
                                                  "session_terminated"};
  ItemAnswer answer;
  answer.kind = ItemAnswer::Kind::error;
  answer.error_code = "cancelled";
  answer.message = "Cancelled by client (" + std::string(kReasons[static_cast<int>(reason)]) + ")";
  answer.cancelled = true;
  return answer;
}

}  // namespace gantry::host
