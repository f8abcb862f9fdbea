// gantry/data_answer.hpp: what a tool writes around an answer of the service gantry.data/1.
//
//   {"class_name":"sale","groups":[…],"group_count":3}
//
// Threads: those of the call.
#pragma once

#include <string>
#include <string_view>

#include <gantry/data.hpp>

namespace gantry {

// `"class_name":"…",` of the arguments; nothing where they name none.
inline std::string class_name_member(const Json& arguments) {
  const auto name = arguments.find("class_name");
  if (!name || !name->is_string()) return {};
  return "\"class_name\":" + std::string(name->text()) + ",";
}
inline std::string class_name_member(const CallView& call) {
  const auto arguments = Json::parse(call.arguments());
  return arguments ? class_name_member(*arguments) : std::string();
}

// The members of a JSON object text; "" of "{}".
inline std::string_view members_of(std::string_view object) {
  return object.substr(1, object.size() - 2);
}

// Whether the answer to these arguments has rows: with dry_run or plan it has none.
inline bool has_data_rows(const Json& arguments) {
  const auto is_set = [&arguments](std::string_view flag) {
    const auto given = arguments.find(flag);
    return given && given->as_bool().value_or(false);
  };
  return !is_set("dry_run") && !is_set("plan");
}

// Answers `call` with {class_name?, ROWS_NAME: rows, …meta}, the rows passed through unread;
// without a `rows_name`, and where the operation has no rows, with {class_name?, …meta}. Arguments
// go to the operation as they came. Fails the call as the operation failed.
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
