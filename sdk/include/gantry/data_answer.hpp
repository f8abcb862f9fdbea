// gantry/data_answer.hpp: builds a tool's answer from an answer of the service gantry.data/1.
//
//   {"class_name":"sale","groups":[…],"group_count":3}
//
// For tools whose arguments are those of an operation (data.hpp) and whose result is the
// operation's rows and meta: such a tool is one line. Runs on the threads of the call.
//
// Owns: nothing between calls. The rows are collected in memory before they are written: an
// operation with large rows is better forwarded (Data::forward). Errors: the call fails with the
// error of the operation, and no part of its result remains.
#pragma once

#include <string>
#include <string_view>

#include <gantry/data.hpp>

namespace gantry {

// The members of a JSON object without its braces; "" for "{}". `object` must be an object without
// white space around it, as DataReply::meta is. A view of it.
// An empty text throws std::out_of_range, which is a fault of the plugin.
inline std::string_view members_of(std::string_view object) {
  return object.substr(1, object.size() - 2);
}

// `"warnings":[…],"class_name":"…",` of a reply, each only if the reply has it, for the beginning
// of an object.
inline std::string first_members(const DataReply& reply) {
  std::string members;
  if (!reply.warnings.empty()) members += "\"warnings\":" + reply.warnings + ",";
  if (!reply.class_name.empty()) members += "\"class_name\":" + reply.class_name + ",";
  return members;
}

// Answers `call` with {warnings?, class_name?, ROWS_NAME: rows, …meta}. Without a `rows_name`, or
// if the operation has no rows: {warnings?, class_name?, …meta}. The arguments are passed to the
// operation unchanged. If the operation fails, the call fails with its error.
// `rows_name` is written as it is, so it may hold no character that JSON escapes. Failed writes are
// not looked at: beyond the limit of the answer the host makes the call an error.
inline void answer_with_data(const Data& data, Call& call, std::string_view op,
                             std::string_view rows_name) {
  const DataReply reply = data.run(call, op, call.arguments());
  if (!reply.status) return Data::fail(call, reply);
  const std::string_view meta = members_of(reply.meta);
  (void)call.begin_structured();
  std::string head = "{" + first_members(reply);
  if (!rows_name.empty() && !reply.rows.empty()) {
    (void)call.raw(head.append("\"").append(rows_name) += "\":");
    (void)call.raw(reply.rows);
    head = meta.empty() ? "" : ",";
  }
  (void)call.raw(head.append(meta) += '}');
  (void)call.end_structured();
}

}  // namespace gantry
