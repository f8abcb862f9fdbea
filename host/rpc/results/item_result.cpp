#include "host/rpc/results/item_result.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <rapidjson/document.h>

#include "host/base/exact_json.hpp"
#include "host/base/json.hpp"
#include "host/base/text.hpp"
#include "host/rpc/message/envelope.hpp"
#include "host/rpc/results/result_members.hpp"

namespace gantry::host::rpc {
namespace {

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 6> kCallersFault = {"invalid_argument", "invalid_query",
                                                           "access_denied",    "permission_denied",
                                                           "tool_filtered",    "security_blocked"};
constexpr std::array<std::string_view, 4> kTold = {"cancelled", "timeout", "rate_limited",
                                                   "store_error"};

// Bytes of a URI that an error quotes back to the client.
constexpr std::size_t kMaxUri = 2u << 10;

struct Failed {
  Error error;
  std::string log_text;
};

Failed failed_by_code(const ItemAnswer& answer, const Asked& asked, std::string_view revision) {
  const std::string_view code = answer.error_code;
  if (code == "not_found" && asked.what == Asked::What::resource) {
    return {not_there(asked, revision), {}};
  }
  if (code == "not_found" || is_one_of(kCallersFault, code)) {
    return {Error::invalid_params(answer.message), {}};
  }
  if (is_one_of(kTold, code)) return {{kInternalError, answer.message, 200, {}}, {}};
  return {Error::internal(), answer.error_code + ": " + answer.message};
}

Failed failed(const ItemAnswer& answer, const Asked& asked, std::string_view revision) {
  switch (answer.kind) {
    case ItemAnswer::Kind::error:
      return failed_by_code(answer, asked, revision);
    case ItemAnswer::Kind::unknown_item:
      return {not_there(asked, revision), {}};
    case ItemAnswer::Kind::invalid_arguments:
      return {Error::invalid_params(answer.message), {}};
    case ItemAnswer::Kind::busy:
      return {Error::busy(), {}};
    default:
      return {Error::internal(), {}};
  }
}

ItemResult finished(const Failed& failed, std::string_view id) {
  return {{failed.error.to_message(id), failed.error.status}, failed.log_text};
}

// The whole response with `members` in its result.
Answer message_of(std::string_view id, std::string_view members, std::string_view revision,
                  std::string_view modern_meta) {
  const bool modern = Features(revision).modern();
  Answer answer;
  std::string& out = answer.body;
  out = response_head(id, "result", members.size() + modern_meta.size() + 32);
  out += '{';
  if (modern) out += "\"resultType\":\"complete\",";
  out += members;
  if (modern) out += modern_meta;
  out += "}}";
  return answer;
}

Members members_of(const rapidjson::Value& result, const Asked& asked, std::string_view revision) {
  switch (asked.what) {
    case Asked::What::prompt:
      return prompt_members(result, revision);
    case Asked::What::resource:
      return resource_members(result, asked, revision);
    case Asked::What::completion:
      return completion_members(result);
  }
  return {};
}

}  // namespace

Error not_there(const Asked& asked, std::string_view revision) {
  switch (asked.what) {
    case Asked::What::resource: {
      const bool modern = Features(revision).modern();
      return {modern ? kInvalidParams : kResourceNotFound, "Resource not found: " + asked.name, 200,
              "{\"uri\":" + json_string(shortened(asked.name, kMaxUri)) + "}"};
    }
    case Asked::What::prompt:
      return Error::invalid_params("Unknown prompt: " + asked.name);
    case Asked::What::completion:
      break;
  }
  return Error::invalid_params("Unknown prompt or resource template: " + asked.name);
}

ItemResult item_result(ItemAnswer&& answer, const Asked& asked, std::string_view id,
                       std::string_view revision, std::string_view modern_meta) {
  if (answer.kind != ItemAnswer::Kind::result || answer.is_error) {
    return finished(failed(answer, asked, revision), id);
  }
  rapidjson::Document result;
  if (!parse_exact(answer.structured, result) || !result.IsObject()) {
    return finished({Error::internal(), "the result is not one JSON object"}, id);
  }
  const Members members = members_of(result, asked, revision);
  if (!members.problem.empty()) return finished({Error::internal(), members.problem}, id);
  return {message_of(id, members.text, revision, modern_meta), {}};
}

}  // namespace gantry::host::rpc
