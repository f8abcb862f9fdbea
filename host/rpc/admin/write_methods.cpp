// writes.list, writes.show and writes.undo.
#include "host/base/json.hpp"
#include "host/base/json_of.hpp"
#include "host/rpc/admin/operator_methods.hpp"

namespace gantry::host::rpc {
namespace {

using Pace = AdminMethod::Pace;

Result<std::string> ask_for_list(const AskWrites& ask, const AdminParams& params,
                                 const AdminCaller& caller) {
  std::string arguments = R"({"op":"list")";
  for (const std::string_view name : {"limit", "agent", "class_name", "cursor"}) {
    if (const auto* value = params.find(name)) append_json_member(arguments, name, json_of(*value));
  }
  return ask({arguments + "}", caller.name, false});
}

Result<std::string> ask_for_one(const AskWrites& ask, std::string_view op,
                                const AdminParams& params, const AdminCaller& caller) {
  const bool undoes = op == "undo";
  std::string arguments = "{";
  append_text_member(arguments, "op", op);
  append_text_member(arguments, "id", params.text("id"));
  if (undoes) append_text_member(arguments, "by", caller.name);
  return ask({arguments + "}", caller.name, undoes});
}

}  // namespace

AdminMethods write_methods(AskWrites ask) {
  return {{.name = "writes.list",
           .parameters = {"limit?:number(1,1000)", "agent?", "class_name?", "cursor?"},
           .pace = Pace::blocks,
           .run = [ask](const AdminParams& params,
                        const AdminCaller& caller) { return ask_for_list(ask, params, caller); }},
          {.name = "writes.show",
           .parameters = {"id"},
           .pace = Pace::blocks,
           .run =
               [ask](const AdminParams& params, const AdminCaller& caller) {
                 return ask_for_one(ask, "show", params, caller);
               }},
          {.name = "writes.undo",
           .parameters = {"id"},
           .pace = Pace::blocks,
           .reads = false,
           .run = [ask = std::move(ask)](const AdminParams& params, const AdminCaller& caller) {
             return ask_for_one(ask, "undo", params, caller);
           }}};
}

}  // namespace gantry::host::rpc
