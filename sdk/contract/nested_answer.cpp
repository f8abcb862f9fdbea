#include "sdk/contract/nested_answer.hpp"

#include "sdk/contract/json_text.hpp"

namespace gantry::contract {

void give_part(gantry_answer answer, std::string_view type, std::string_view body) {
  if (answer.part == nullptr) return;
  answer.part(answer.context, {type.data(), type.size()}, {body.data(), body.size()});
}

std::string error_json(std::string_view code, std::string_view message, std::string_view details) {
  std::string json = "{";
  append_text_member(json, "error_code", code);
  append_text_member(json, "error", message);
  if (!details.empty()) append_json_member(json, "details", details);
  return json += '}';
}

gantry_status give_error(gantry_answer answer, gantry_status status, std::string_view code,
                         std::string_view message, std::string_view details) {
  give_part(answer, "error", error_json(code, message, details));
  return status;
}

}  // namespace gantry::contract
