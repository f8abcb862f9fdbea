// tools/answers.hpp: members of the answers after a commit.
//
// Pure functions; any thread.
#pragma once

#include <gantry/data.hpp>
#include <gantry/json_writer.hpp>

namespace mutation {

// `object`, or `rows` and `objects`.
inline void put_objects(const gantry::Json& arguments, const gantry::DataReply& reply,
                        gantry::JsonWriter& out) {
  const auto rows = gantry::Json::parse(reply.rows);
  if (!rows) return;
  const auto list = rows->elements();
  if (arguments.find("objects")) {
    std::size_t count = 0;
    for ([[maybe_unused]] const gantry::Json row : list) ++count;
    out.key("rows").number(count).key("objects").raw(rows->text());
  } else if (list.begin() != list.end()) {
    out.key("object").raw((*list.begin()).text());
  }
}

// The members of the operation's meta, less those that repeat the arguments.
inline void put_meta(const gantry::Json&, const gantry::DataReply& reply, gantry::JsonWriter& out) {
  const auto meta = gantry::Json::parse(reply.meta);
  if (!meta) return;
  for (const auto& [name, value] : meta->members()) {
    if (name != "class_name") out.key(name).raw(value.text());
  }
}

}  // namespace mutation
