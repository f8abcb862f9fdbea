#include "host/rpc/message/classify.hpp"

#include "host/rpc/message/log_levels.hpp"

namespace gantry::host::rpc {
namespace {

using Value = rapidjson::Value;
using Problem = std::optional<Error>;

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

bool is_client_info(const Value& info) {
  return info.IsObject() && text_of(member(&info, "name")) && text_of(member(&info, "version"));
}

Problem differs(std::string_view header, std::string_view sent, std::string_view body) {
  return Error::header_mismatch(std::string(header) + " says " + quoted(sent) +
                                " but the body says " + quoted(body));
}

Problem lacks(std::string_view header) {
  return Error::header_mismatch("The header " + std::string(header) + " is missing");
}

// The parameter that Mcp-Name repeats, or nothing where it is not used.
std::optional<std::string_view> named_parameter(std::string_view method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  if (method == "resources/read") return "uri";
  if (method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel") {
    return "taskId";
  }
  return std::nullopt;
}

Problem check_name(const Message& message, const Headers& headers) {
  const auto parameter = named_parameter(message.method());
  if (!parameter) return std::nullopt;
  const auto body = text_of(message.param(*parameter));
  if (!body) return std::nullopt;  // the method's own check makes the error
  const auto sent = headers.get("mcp-name");
  if (!sent) return lacks("Mcp-Name");
  const auto name = header_text(*sent);
  if (!name) return Error::header_mismatch("Mcp-Name is neither plain ASCII nor strict Base64");
  if (*name != *body) return differs("Mcp-Name", *name, *body);
  return std::nullopt;
}

Problem check_headers(const Message& message, const Headers& headers) {
  const auto version = headers.get("mcp-protocol-version");
  const auto method = headers.get("mcp-method");
  const std::string_view body_version = *text_of(message.meta(kVersionKey));
  if (version && *version != body_version)
    return differs("MCP-Protocol-Version", *version, body_version);
  if (method && *method != message.method())
    return differs("Mcp-Method", *method, message.method());
  if (auto error = check_version(message)) return error;
  if (!version) return lacks("MCP-Protocol-Version");
  if (!method) return lacks("Mcp-Method");
  return check_name(message, headers);
}

}  // namespace

Error missing_envelope() {
  return Error::envelope("params must be an object whose _meta has " + quoted(kVersionKey) +
                         " and " + quoted(kCapabilitiesKey));
}

Problem check_envelope(const Message& message) {
  const Value* version = message.meta(kVersionKey);
  const Value* capabilities = message.meta(kCapabilitiesKey);
  if (version == nullptr || capabilities == nullptr) return missing_envelope();
  if (!version->IsString()) return Error::envelope(quoted(kVersionKey) + " must be a string");
  if (!capabilities->IsObject())
    return Error::envelope(quoted(kCapabilitiesKey) + " must be an object");
  const Value* info = message.meta(kClientInfoKey);
  if (info != nullptr && !is_client_info(*info)) {
    return Error::envelope(quoted(kClientInfoKey) + " must be an object with name and version");
  }
  const Value* level = message.meta(kLogLevelKey);
  if (level != nullptr && !syslog_level(text_of(level).value_or(""))) {
    return Error::envelope(quoted(kLogLevelKey) + " must be one of " + std::string(kLevelList));
  }
  const Value* token = message.meta("progressToken");
  if (token != nullptr && !token->IsString() && !token->IsInt64() && !token->IsUint64()) {
    return Error::envelope("'progressToken' must be a string or an integer");
  }
  return std::nullopt;
}

Problem check_version(const Message& message) {
  const std::string_view version = *text_of(message.meta(kVersionKey));
  if (version == kModernRevision) return std::nullopt;
  return Error::unsupported_version(version);
}

Classified classify_http(const Message& message, const Headers& headers) {
  const bool header_is_modern = headers.get("mcp-protocol-version") == kModernRevision;
  const bool modern = has_envelope(message);
  if (message.kind() == Message::Kind::notification) {
    return {modern || header_is_modern ? Era::modern : Era::legacy, std::nullopt};
  }
  const bool initialize = message.method() == "initialize";
  if (modern) {
    Problem problem = check_envelope(message);
    if (!problem) return {Era::modern, check_headers(message, headers)};
    // In the legacy handshake a malformed envelope is only an unknown member.
    if (!initialize) return {Era::modern, std::move(problem)};
  }
  if (initialize) {
    if (!header_is_modern) return {Era::legacy, std::nullopt};
    return {Era::modern,
            Error::header_mismatch("MCP-Protocol-Version names a revision that has no initialize")};
  }
  if (header_is_modern) return {Era::modern, missing_envelope()};
  return {Era::legacy, std::nullopt};
}

}  // namespace gantry::host::rpc
