#include "host/rpc/results/tool_result.hpp"

#include "host/base/json.hpp"
#include "host/base/text.hpp"
#include "host/rpc/message/envelope.hpp"
#include "host/rpc/message/error.hpp"
#include "host/rpc/results/content.hpp"

namespace gantry::host::rpc {
namespace {

Answer protocol_error(const Error& error, std::string_view id) {
  return {error.to_message(id), error.status};
}

bool is_object(std::string_view json) {
  const auto first = json.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && json[first] == '{';
}

// The parts of one result, without the members that the era adds.
struct Parts {
  std::string content;
  std::string_view twin;        // JSON that is also sent as text
  std::string_view structured;  // empty = none
  bool is_error = false;
};

Answer assemble(const Parts& parts, std::string_view id, const Features& peer,
                std::string_view modern_meta) {
  Answer answer;
  std::string& out = answer.body;
  out = response_head(id, "result",
                      parts.content.size() + parts.twin.size() * 2 + parts.structured.size() + 512);
  out += '{';
  if (peer.modern()) out += "\"resultType\":\"complete\",";
  out += "\"content\":[";
  if (!parts.twin.empty()) {
    out += "{\"type\":\"text\",\"text\":";
    append_json_string(out, parts.twin);
    out += parts.content.empty() ? "}" : "},";
  }
  out.append(parts.content) += ']';
  if (!parts.structured.empty()) out.append(",\"structuredContent\":").append(parts.structured);
  out += parts.is_error ? ",\"isError\":true" : ",\"isError\":false";
  if (peer.modern()) out += modern_meta;
  out += "}}";
  return answer;
}

Answer error_result(const ItemAnswer& answer, std::string_view id, const Features& peer,
                    std::string_view modern_meta) {
  const std::string object = error_object(answer);
  Parts parts;
  parts.twin = object;
  parts.is_error = true;
  if (answer.error_fits_schema && peer.structured()) parts.structured = object;
  return assemble(parts, id, peer, modern_meta);
}

Answer success_result(ItemAnswer&& answer, std::string_view id, const Features& peer,
                      std::string_view modern_meta) {
  Parts parts;
  parts.content = content_for(peer.revision, std::move(answer.content));
  parts.twin = answer.structured;
  parts.is_error = answer.is_error;
  const bool known = peer.structured_any() || (peer.structured() && is_object(answer.structured));
  if (known) parts.structured = answer.structured;
  return assemble(parts, id, peer, modern_meta);
}

}  // namespace

std::string error_object(const ItemAnswer& answer) {
  std::string out = "{";
  append_text_member(out, "error_code", answer.error_code);
  append_text_member(out, "error", shortened(answer.message, kMaxMessage));
  if (answer.cancelled) append_json_member(out, "cancelled", "true");
  if (!answer.details.empty()) append_json_member(out, "details", answer.details);
  return out += '}';
}

Answer tool_result(ItemAnswer&& answer, std::string_view id, std::string_view tool,
                   std::string_view revision, std::string_view modern_meta) {
  const Features peer(revision);
  switch (answer.kind) {
    case ItemAnswer::Kind::result:
      return success_result(std::move(answer), id, peer, modern_meta);
    case ItemAnswer::Kind::error:
      return error_result(answer, id, peer, modern_meta);
    case ItemAnswer::Kind::unknown_item:
      return protocol_error(Error::invalid_params("Unknown tool: " + std::string(tool)), id);
    case ItemAnswer::Kind::invalid_arguments:
      if (peer.argument_errors_are_results()) return error_result(answer, id, peer, modern_meta);
      return protocol_error(Error::invalid_params(answer.message), id);
    case ItemAnswer::Kind::busy:
      return protocol_error(Error::busy(), id);
    case ItemAnswer::Kind::internal:
    case ItemAnswer::Kind::input_required:     // of runs, never here
    case ItemAnswer::Kind::approval_required:  // likewise
    case ItemAnswer::Kind::missing_capability:
      break;
  }
  return protocol_error(Error::internal(), id);
}

}  // namespace gantry::host::rpc
