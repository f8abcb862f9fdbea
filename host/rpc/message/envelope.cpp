#include "host/rpc/message/envelope.hpp"

#include "host/base/json.hpp"

namespace gantry::host::rpc {
namespace {

constexpr std::string_view kVersionMember = "{\"jsonrpc\":\"2.0\"",
                           kIdMember = ",\"id\":", kMethodMember = ",\"method\":";

}  // namespace

std::string response_head(std::string_view id, std::string_view member, std::size_t room) {
  std::string out;
  out.reserve(kVersionMember.size() + kIdMember.size() + id.size() + member.size() + 4 + room);
  out.append(kVersionMember).append(kIdMember).append(id).append(",\"").append(member);
  return out += "\":";
}

std::string result_message(std::string_view id, std::string_view result) {
  std::string out = response_head(id, "result", result.size() + 1);
  out.append(result) += '}';
  return out;
}

std::string request_head(std::string_view id, std::string_view method) {
  std::string out(kVersionMember);
  out.append(kIdMember).append(id).append(kMethodMember);
  append_json_string(out, method);
  return out;
}

std::string notification_head(std::string_view method) {
  std::string out(kVersionMember);
  out.append(kMethodMember);
  append_json_string(out, method);
  return out;
}

std::string cancelled_message(std::string_view id, std::string_view reason) {
  std::string out = notification_head("notifications/cancelled");
  out.append(",\"params\":{\"requestId\":").append(id);
  if (!reason.empty()) {
    out += ",\"reason\":";
    append_json_string(out, reason);
  }
  return out += "}}";
}

}  // namespace gantry::host::rpc
