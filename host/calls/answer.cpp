// What a client is told: the answer made from what a call has written and how it ended.
#include <rapidjson/document.h>

#include "host/base/exact_json.hpp"
#include "host/base/json.hpp"
#include "host/calls/answer.hpp"
#include "host/calls/engine.hpp"
#include "host/calls/kinds.hpp"
#include "host/calls/promise.hpp"

namespace gantry::host {
namespace {

Output::Failure too_large(std::size_t cap) {
  return {"invalid_argument",
          "The answer would be larger than " + std::to_string(cap) +
              " bytes; ask for fewer rows or fields",
          R"({"kind":"response_too_large","limit":)" + std::to_string(cap) + "}"};
}

}  // namespace

ItemAnswer error_answer(const gantry_call& call, Output::Failure failure) {
  ItemAnswer answer;
  answer.kind = ItemAnswer::Kind::error;
  answer.error_code = std::move(failure.code);
  answer.message = std::move(failure.message);
  answer.details = std::move(failure.details);
  answer.error_fits_schema = error_fits(*call.item, answer);
  return answer;
}

std::string error_json(std::string_view code, std::string_view message, std::string_view details) {
  std::string json = R"({"error_code":)";
  append_json_string(json, code);
  json += R"(,"error":)";
  append_json_string(json, message);
  if (!details.empty()) json.append(R"(,"details":)").append(details);
  json += '}';
  return json;
}

bool error_fits(const Item& item, const ItemAnswer& error) {
  if (!item.output) return true;
  rapidjson::Document document;
  const std::string json = error_json(error.error_code, error.message, error.details);
  return parse_exact<rapidjson::kParseValidateEncodingFlag>(json, document) &&
         item.output->validate(document);
}

Output::Failure failure_of(gantry_status status, std::string_view noun) {
  const std::string the_item = "The " + std::string(noun);
  switch (status) {
    case GANTRY_INVALID_ARGUMENT:
      return {"invalid_argument", "The arguments make no sense", ""};
    case GANTRY_NOT_FOUND:
      return {"not_found", "Nothing was found under that name", ""};
    case GANTRY_DENIED:
      return {"access_denied", "This agent may not do that", ""};
    case GANTRY_CANCELLED:
      return {"cancelled", "The call was cancelled", ""};
    case GANTRY_TIMED_OUT:
      return {"timeout", "The call did not finish in time", ""};
    case GANTRY_BUSY:
      return {"internal_error", "Something the " + std::string(noun) + " needs is in use", ""};
    case GANTRY_STOPPING:
      return {"internal_error", the_item + " is being stopped", ""};
    default:
      return {"internal_error", the_item + " failed without saying why", ""};
  }
}

ItemAnswer Engine::answer_of(gantry_call& call, gantry_status status) const {
  Output& output = call.output;
  if (output.failed()) return error_answer(call, output.failure());
  if (status == GANTRY_INPUT_REQUIRED) return next_round(call);
  if (status == GANTRY_UNSUPPORTED && call.round && call.round->lacks().any()) {
    return missing_capability(call);
  }
  if (output.overflowed()) return error_answer(call, too_large(limits_.max_answer_bytes));
  if (status < 0 && (call.kind != "tool" || output.content().empty())) {
    return error_answer(call, failure_of(status, kind_of(call.kind).noun));
  }
  if (status < 0) {
    ItemAnswer answer;
    answer.content = std::move(output.content());
    answer.is_error = true;
    return answer;
  }
  return checked_result(call);
}

// The caller hears of an internal error and the log of whose fault it is. A task has failed then;
// an error of the tool's own would be its result.
ItemAnswer Engine::plugin_fault(gantry_call& call, const std::string& sentence) const {
  fault(call, sentence);
  ItemAnswer answer = error_answer(call, {"internal_error", "Internal error", ""});
  if (call.task) answer.kind = ItemAnswer::Kind::internal;
  return answer;
}

// The result as it is, unless it breaks what the item promised.
ItemAnswer Engine::checked_result(gantry_call& call) const {
  Output& output = call.output;
  const std::string wrong = broken_promise(call);
  if (!wrong.empty()) return plugin_fault(call, wrong);
  ItemAnswer answer;
  answer.structured = std::move(output.structured());
  if (kind_of(call.kind).output != Output::For::client_entries) {
    answer.content = std::move(output.content());
  } else if (!output.content().empty()) {
    answer.structured = R"({"contents":[)" + output.content() + "]}";
  }
  return answer;
}

}  // namespace gantry::host
