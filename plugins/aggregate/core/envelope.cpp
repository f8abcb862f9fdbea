#include "core/envelope.hpp"

#include <string>

namespace aggregate {
namespace {

struct Arguments {
  std::string class_name;  // `"class_name":"…",`, or nothing
  bool has_rows = true;    // not with dry_run or plan
};

Arguments arguments_of(const gantry::Call& call) {
  Arguments arguments;
  const auto parsed = gantry::Json::parse(call.arguments());
  if (!parsed) return arguments;
  const auto name = parsed->find("class_name");
  if (name && name->as_string()) {
    arguments.class_name = "\"class_name\":" + std::string(name->text()) + ",";
  }
  for (const std::string_view flag : {"dry_run", "plan"}) {
    const auto given = parsed->find(flag);
    if (given && given->as_bool().value_or(false)) arguments.has_rows = false;
  }
  return arguments;
}

// The members of a JSON object text.
std::string_view members(std::string_view object) { return object.substr(1, object.size() - 2); }

}  // namespace

void answer(const gantry::Data& data, gantry::Call& call, std::string_view op,
            std::string_view rows_name) {
  const Arguments arguments = arguments_of(call);
  if (!arguments.has_rows) {
    const gantry::DataReply reply = data.run(call, op, call.arguments());
    if (!reply.status) return gantry::Data::fail(call, reply);
    (void)call.structured("{" + arguments.class_name + std::string(members(reply.meta)) + "}");
    return;
  }
  (void)call.begin_structured();
  (void)call.raw("{" + arguments.class_name + "\"" + std::string(rows_name) + "\":");
  const gantry::DataReply reply = data.forward(call, op, call.arguments());
  if (!reply.status) return gantry::Data::fail(call, reply);
  (void)call.raw("," + std::string(members(reply.meta)) + "}");
  (void)call.end_structured();
}

}  // namespace aggregate
