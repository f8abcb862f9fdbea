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

// Whether the answer to these arguments has rows: not with dry_run or plan, which describe the work
// instead of doing it.
inline bool has_data_rows(const Json& arguments) {
  const auto is_set = [&arguments](std::string_view flag) {
    const auto given = arguments.find(flag);
    return given && given->as_bool().value_or(false);
  };
  return !is_set("dry_run") && !is_set("plan");
}

// Answers `call` with {class_name?, ROWS_NAME: rows, …meta}; the rows go into the answer without
// passing through the plugin. Without a `rows_name`, or if the operation has no rows: {class_name?,
// …meta}. The arguments are passed to the operation unchanged. If the operation fails, the call
// fails with its error.
inline void answer_with_data(const Data& data, Call& call, std::string_view op,
                             std::string_view rows_name) {
  const auto parsed = Json::parse(call.arguments());
  const Json arguments = parsed ? *parsed : Json();
  const std::string name = class_name_member(arguments);
  if (rows_name.empty() || !has_data_rows(arguments)) {
    const DataReply reply = data.run(call, op, call.arguments());
    if (!reply.status) return Data::fail(call, reply);
    (void)call.structured("{" + name + std::string(members_of(reply.meta)) + "}");
    return;
  }
  (void)call.begin_structured();
  (void)call.raw("{" + name + "\"" + std::string(rows_name) + "\":");
  const DataReply reply = data.forward(call, op, call.arguments());
  if (!reply.status) return Data::fail(call, reply);
  const std::string_view meta = members_of(reply.meta);
  (void)call.raw((meta.empty() ? "" : ",") + std::string(meta) + "}");
  (void)call.end_structured();
}

}  // namespace gantry
