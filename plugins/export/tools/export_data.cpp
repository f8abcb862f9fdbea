#include "tools/tools.hpp"

#include <string>

namespace exporting {
namespace {

// `"class_name":"…",` of the arguments, or nothing: a pipeline may bring its documents.
std::string class_name_member(const gantry::Call& call) {
  const auto arguments = gantry::Json::parse(call.arguments());
  const auto name = arguments ? arguments->find("class_name") : std::nullopt;
  if (!name || !name->is_string()) return {};
  return "\"class_name\":" + std::string(name->text()) + ",";
}

}  // namespace

void export_data(const gantry::Data& data, gantry::Call& call) {
  const gantry::DataReply reply = data.run(call, "export", call.arguments());
  if (!reply.status) return gantry::Data::fail(call, reply);
  (void)call.structured("{" + class_name_member(call) + reply.meta.substr(1));
}

}  // namespace exporting
