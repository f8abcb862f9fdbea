// gantry/data_answer.hpp: builds a tool's answer from an answer of the service gantry.data/1.
//
//   {"class_name":"sale","groups":[…],"group_count":3}
//
// For tools whose arguments are those of an operation (data.hpp) and whose result is the
// operation's rows and meta: such a tool is one line. Runs on the threads of the call.
#pragma once

#include <string>
#include <string_view>

#include <gantry/data.hpp>

namespace gantry {

// `"class_name":"…",` from the arguments, with the comma, for the beginning of an object; empty if
// they name no class.
inline std::string class_name_member(const Json& arguments) {
  const auto name = arguments.find("class_name");
  if (!name || !name->is_string()) return {};
  return "\"class_name\":" + std::string(name->text()) + ",";
}
inline std::string class_name_member(const CallView& call) {
  const auto arguments = Json::parse(call.arguments());
  return arguments ? class_name_member(*arguments) : std::string();
}

// The members of a JSON object without its braces; "" for "{}". `object` must be an object without
// white space around it, as DataReply::meta is. A view of it.
inline std::string_view members_of(std::string_view object) {
  return object.substr(1, object.size() - 2);
}

// `"warnings":[…],` of a reply, for the beginning of an object; empty if there are none.
inline std::string warnings_member(const DataReply& reply) {
  return reply.warnings.empty() ? "" : "\"warnings\":" + reply.warnings + ",";
}

// Answers `call` with {warnings?, class_name?, ROWS_NAME: rows, …meta}. Without a `rows_name`, or
// if the operation has no rows: {warnings?, class_name?, …meta}. The arguments are passed to the
// operation unchanged. If the operation fails, the call fails with its error.
inline void answer_with_data(const Data& data, Call& call, std::string_view op,
                             std::string_view rows_name) {
  const DataReply reply = data.run(call, op, call.arguments());
  if (!reply.status) return Data::fail(call, reply);
  const std::string_view meta = members_of(reply.meta);
  (void)call.begin_structured();
  std::string head = "{" + warnings_member(reply) + class_name_member(call);
  if (!rows_name.empty() && !reply.rows.empty()) {
    (void)call.raw(head.append("\"").append(rows_name) += "\":");
    (void)call.raw(reply.rows);
    head = meta.empty() ? "" : ",";
  }
  (void)call.raw(head.append(meta) += '}');
  (void)call.end_structured();
}

}  // namespace gantry
