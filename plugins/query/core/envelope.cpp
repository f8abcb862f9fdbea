#include "core/envelope.hpp"

namespace query {

std::string class_name_member(const gantry::Call& call) {
  std::string member = R"("class_name":)";
  const auto arguments = gantry::Json::parse(call.arguments());
  const auto name = arguments ? arguments->find("class_name") : std::nullopt;
  return member += name ? name->text() : "null";
}

std::string more_members(std::string_view object) {
  const std::string_view inside = object.substr(1, object.size() - 2);
  return inside.empty() ? std::string() : "," + std::string(inside);
}

void answer(const gantry::Data& data, gantry::Call& call, std::string_view op,
            std::string_view rows_name) {
  if (rows_name.empty()) {
    const gantry::DataReply reply = data.run(call, op, call.arguments());
    if (!reply.status) return gantry::Data::fail(call, reply);
    (void)call.structured("{" + class_name_member(call) + more_members(reply.meta) + "}");
    return;
  }
  (void)call.begin_structured();
  (void)call.raw("{" + class_name_member(call) + ",\"" + std::string(rows_name) + "\":");
  const gantry::DataReply reply = data.forward(call, op, call.arguments());
  if (!reply.status) return gantry::Data::fail(call, reply);
  (void)call.raw(more_members(reply.meta) + "}");
  (void)call.end_structured();
}

}  // namespace query
