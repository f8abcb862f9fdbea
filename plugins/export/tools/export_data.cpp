#include "tools/tools.hpp"

#include <string>

#include <gantry/data_answer.hpp>

namespace exporting {
namespace {

bool wants_link(const gantry::Call& call) {
  const auto arguments = gantry::Json::parse(call.arguments());
  const auto as = arguments ? arguments->find("as") : std::nullopt;
  return as && as->as_string() == "link";
}

// The resource as a content block, for clients that follow links.
std::string link_block(const gantry::Json& place) {
  const auto text = [&](std::string_view name) {
    const auto member = place.find(name);
    return member ? member->as_string().value_or("") : std::string();
  };
  const auto bytes = place.find("bytes");
  std::string block;
  gantry::JsonWriter out(block);
  out.begin_object().key("type").string("resource_link").key("uri").string(text("uri"));
  out.key("name").string("export." + text("format")).key("mimeType").string(text("mime_type"));
  if (bytes) out.key("size").number(bytes->as_integer().value_or(0));
  out.end_object();
  return block;
}

}  // namespace

void export_data(const gantry::Data& data, gantry::Call& call) {
  const bool is_link = wants_link(call);
  const gantry::DataReply reply =
      data.run(call, is_link ? "export_link" : "export", call.arguments());
  if (!reply.status) return gantry::Data::fail(call, reply);
  (void)call.structured("{" + gantry::first_members(reply) + reply.meta.substr(1));
  const auto place = gantry::Json::parse(reply.meta);
  if (is_link && place) (void)call.block(link_block(*place));
}

}  // namespace exporting
