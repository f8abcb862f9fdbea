#include "core/model.hpp"

#include <algorithm>

namespace prompts {
namespace {

using gantry::Json;
using gantry::Status;

std::string text_of_result(const gantry::Result<Json>& object, std::string_view name) {
  const auto member = object ? object->find(name) : std::nullopt;
  return member ? member->as_string().value_or("") : std::string();
}

}  // namespace

gantry::Result<Names> Model::class_names() const {
  const auto reply = services_.data.run(call_, "schemas", "{}");
  if (!reply.status) return failed("", reply);
  return parse_class_names(reply.meta);
}

gantry::Result<std::string> Model::introduction() const {
  const auto reply = services_.data.run(call_, "introduction", "{}");
  if (!reply.status) return failed("", reply);
  return text_of_result(Json::parse(reply.meta), "text");
}

gantry::Result<ClassSchema> Model::open(std::string_view argument,
                                        std::string_view class_name) const {
  const auto reply =
      services_.data.run(call_, "schema", object({{"class_name", quoted(class_name)}}));
  if (!reply.status) return failed(argument, reply);
  return parse_schema(reply.meta);
}

gantry::Result<FieldInfo> Model::field(std::string_view argument, const ClassSchema& schema,
                                       std::string_view name) const {
  if (const FieldInfo* found = schema.find(name)) return *found;
  Names names;
  for (const FieldInfo& each : schema.fields) names.push_back(each.name);
  return refuse(argument, "class '" + schema.name + "' has no field '" + std::string(name) +
                              "'. Fields: " + listed(names) + ".");
}

bool Model::has_tool(std::string_view name) const {
  const auto items = services_.catalog.items(call_);
  const auto json = items ? Json::parse(*items) : gantry::Result<Json>(items.status());
  if (!json) return false;
  for (const Json item : json->elements()) {
    const auto known = item.find("name");
    if (known && known->as_string().value_or("") == name) return true;
  }
  return false;
}

Status Model::refuse(std::string_view argument, std::string_view why) const {
  return call_.fail("invalid_argument", std::string(argument) + ": " + std::string(why));
}

// A class that is hidden or missing is an invalid argument; the engine's sentence lists candidates.
Status Model::failed(std::string_view argument, const gantry::DataReply& reply) const {
  const auto error = Json::parse(reply.error);
  const std::string code = text_of_result(error, "error_code");
  const bool unknown = code == "access_denied" || code == "not_found";
  if (!argument.empty() && unknown) return refuse(argument, text_of_result(error, "error"));
  gantry::Data::fail(call_, reply);
  return Status(GANTRY_FAILED, {});
}

}  // namespace prompts
