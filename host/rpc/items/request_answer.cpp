#include "host/rpc/items/request_answer.hpp"

#include <utility>

#include <rapidjson/document.h>

#include "host/calls/error_answer.hpp"
#include "host/rpc/core.hpp"
#include "host/rpc/message/era.hpp"
#include "host/rpc/message/error.hpp"

namespace gantry::host::rpc {
namespace {

Answer missing_capability_message(const ItemRequestParts& parts, const ItemAnswer& answer) {
  if (era_of(parts.revision) == Era::modern) {
    const Error error = Error::missing_capability(answer.message, answer.requests);
    return {error.to_message(parts.id), error.status};
  }
  return {Error::invalid_params(answer.message).to_message(parts.id), 200};
}

}  // namespace

ItemAnswer failed_answer(const ItemRequestParts& parts, std::string code, std::string sentence) {
  ItemAnswer answer;
  answer.kind = ItemAnswer::Kind::error;
  answer.error_code = std::move(code);
  answer.message = std::move(sentence);
  answer.error_fits_schema = error_fits(parts.output.get(), answer);
  return answer;
}

ItemAnswer cancelled_answer(const ItemRequestParts& parts, CancelReason reason) {
  ItemAnswer answer = cancelled_answer(reason);
  answer.error_fits_schema = error_fits(parts.output.get(), answer);
  return answer;
}

ItemAnswer visible_answer(const ItemRequestParts& parts, ItemAnswer&& answer) {
  const bool is_lack = answer.kind == ItemAnswer::Kind::missing_capability;
  if (!is_lack || era_of(parts.revision) == Era::modern || parts.method != "tools/call") {
    return std::move(answer);
  }
  rapidjson::Document required;
  required.Parse(answer.requests.data(), answer.requests.size());
  const bool elicits = required.IsObject() && required.HasMember("elicitation");
  return failed_answer(parts, elicits ? "approval_unavailable" : "internal_error",
                       std::move(answer.message));
}

Answer response_of(const Core& core, const ItemRequestParts& parts, ItemAnswer&& answer) {
  if (answer.kind == ItemAnswer::Kind::missing_capability) {
    return missing_capability_message(parts, answer);
  }
  return parts.finish(std::move(answer), parts.id, parts.revision, core.modern_meta);
}

}  // namespace gantry::host::rpc
