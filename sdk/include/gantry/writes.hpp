// gantry/writes.hpp: changes of the operator's database by a plugin, under its caller's scope.
//
//   gantry::Writes writes;
//   writes.update("Order", id, R"({"status":"refunded"})", version)
//         .create("Refund", R"({"order":7,"amount":12.5})");
//   const gantry::DataReply reply = writes.run(data, call, what.dry_run);
//   if (!reply.status) return gantry::Data::fail(call, reply);
//
// All writes of one value are one transaction: all are made, or none, also when the call is
// cancelled or its deadline passes. Later ones see the earlier ones. The data plugin makes them
// only if the operator's gates, the agent's tier and a person's approval allow it, and only on rows
// and fields that the agent may write. `data` is an object of fields; null unsets one;
// {"__op":"Increment","amount":2} and its relatives change a value in one step.
//
// Limits: 100 writes. Errors: those of the operations in data.hpp. Threads: one at a time.
//
// Owns: copies of the texts, as one JSON text. Nothing is checked before run(): a wrong name or
// value is the database's answer, with the details of data.hpp. A Writes may be run more than once,
// for instance with dry_run first.
#pragma once

#include <string>
#include <string_view>

#include <gantry/data.hpp>
#include <gantry/json_writer.hpp>

namespace gantry {

class Writes {
 public:
  // Makes an object. Its id is in the rows of the reply.
  Writes& create(std::string_view class_name, std::string_view data) {
    return add("create", class_name, {}, data, {});
  }
  // `if_unchanged`: the row's version as a read by id returned it; empty: whatever it is now.
  Writes& update(std::string_view class_name, std::string_view object_id, std::string_view data,
                 std::string_view if_unchanged = {}) {
    return add("update", class_name, object_id, data, if_unchanged);
  }
  // Deletes one object; another one that refers to it may stop that, which the reply says.
  Writes& remove(std::string_view class_name, std::string_view object_id,
                 std::string_view if_unchanged = {}) {
    return add("delete", class_name, object_id, {}, if_unchanged);
  }

  // Makes the writes, or with `dry_run` shows them and makes none. The reply has the rows and the
  // meta of the operation "transaction" (data.hpp).
  DataReply run(const Data& data, const CallView& call, bool dry_run = false) const {
    std::string args = R"({"writes":[)" + text_ + "]";
    if (dry_run) args += R"(,"dry_run":true)";
    return data.run(call, "transaction", args += "}");
  }

 private:
  // An empty `object_id`, `data` or `if_unchanged` is left out.
  Writes& add(std::string_view op, std::string_view class_name, std::string_view object_id,
              std::string_view data, std::string_view if_unchanged) {
    if (!text_.empty()) text_ += ',';
    JsonWriter out(text_);
    out.begin_object().key("op").string(op).key("class_name").string(class_name);
    if (!object_id.empty()) out.key("object_id").string(object_id);
    if (!data.empty()) out.key("data").raw(data);
    if (!if_unchanged.empty()) out.key("if_unchanged").string(if_unchanged);
    out.end_object();
    return *this;
  }

  std::string text_;  // the writes, with commas between
};

}  // namespace gantry
