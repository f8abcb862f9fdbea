#include "resources/resources.hpp"

#include <gantry/json.hpp>
#include <gantry/json_writer.hpp>

#include <algorithm>

#include "values/ascii.hpp"

namespace gantry::data {
namespace {

Outcome<Reply> ask(Service& service, const Caller& caller, std::string_view op,
                   std::string_view class_name) {
  std::string request;
  JsonWriter out(request);
  out.begin_object().key("op").string(op).key("args").begin_object();
  out.key("class_name").string(class_name).end_object().end_object();
  return service.run(request, caller);
}

// A resource of a hidden class is reported as not found.
DataError of_resource(DataError error) {
  if (error.kind == "hidden_class") error.code = error_code::kNotFound;
  return error;
}

// {"class_name":…,"results":[…]}, like the tool's answer; `meta` is a JSON object or empty.
std::string envelope(std::string_view class_name, const Reply& reply) {
  std::string text;
  JsonWriter(text).begin_object().key("class_name").string(class_name);
  if (!reply.rows.empty()) text.append(R"(,"results":)").append(reply.rows);
  if (reply.meta.size() > 2) text.append(",").append(reply.meta, 1, reply.meta.size() - 2);
  return text += '}';
}

void add_names(std::vector<std::string>& names, const Json& meta, std::string_view list) {
  const auto classes = meta.find(list);
  if (!classes) return;
  for (const Json cls : classes->elements()) {
    const auto name = cls.find("name");
    if (name) names.push_back(name->as_string().value_or(""));
  }
}

bool begins(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(),
                    [](char a, char b) { return lower_char(a) == lower_char(b); });
}

}  // namespace

Outcome<std::string> read_resource(Service& service, const Caller& caller,
                                   std::string_view class_name, ResourcePart part) {
  auto reply = ask(service, caller, part_name(part), class_name);
  if (!reply) return of_resource(reply.error());
  if (part == ResourcePart::schema) return std::move(reply->meta);
  return envelope(class_name, *reply);
}

Outcome<std::vector<std::string>> visible_class_names(Service& service, const Caller& caller) {
  auto reply = service.run(R"({"op":"schemas"})", caller);
  if (!reply) return reply.error();
  std::vector<std::string> names;
  const auto meta = Json::parse(reply->meta);
  if (!meta)
    return DataError{std::string(error_code::kInternalError), meta.message(), {}, {}, {}, {}};
  add_names(names, *meta, "built_in");
  add_names(names, *meta, "custom");
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> names_that_begin(const std::vector<std::string>& names,
                                          std::string_view prefix) {
  std::vector<std::string> some;
  std::copy_if(names.begin(), names.end(), std::back_inserter(some),
               [&](const std::string& name) { return begins(name, prefix); });
  return some;
}

}  // namespace gantry::data
