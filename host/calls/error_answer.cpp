#include "host/calls/error_answer.hpp"

#include <rapidjson/document.h>

#include "host/base/exact_json.hpp"
#include "sdk/contract/nested_answer.hpp"

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

bool error_fits(const schema::Validator* output, const ItemAnswer& error) {
  if (output == nullptr) return true;
  rapidjson::Document document;
  const std::string json = contract::error_json(error.error_code, error.message, error.details);
  return parse_exact<rapidjson::kParseValidateEncodingFlag>(json, document) &&
         output->validate(document);
}

}  // namespace gantry::host
