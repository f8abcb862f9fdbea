#include "edge/store_span.hpp"

#include <string>

#include <gantry/json.hpp>

#include "values/json_text.hpp"

namespace gantry::data {
namespace {

void append_member(std::string& out, std::string_view name, std::string_view json) {
  out.append(out.ends_with('{') ? "\"" : ",\"").append(name).append("\":").append(json);
}

void append_text(std::string& out, std::string_view name, std::string_view text) {
  if (!text.empty()) append_member(out, name, quoted_json(text));
}

// The class that the arguments named; empty: none, or the caller may not see it.
std::string class_of(const Outcome<Reply>& reply) {
  if (!reply || reply->class_name.empty()) return {};
  const auto name = Json::parse(reply->class_name);
  return name ? name->as_string().value_or("") : std::string();
}

}  // namespace

void StoreSpan::write(const Outcome<Reply>& reply) const {
  const std::string cls = class_of(reply);
  const std::string summary = asked_->operation() + (cls.empty() ? "" : " ") + cls;
  std::string attributes = "{";
  append_text(attributes, "db.system.name", "sqlite");
  append_text(attributes, "db.collection.name", cls);
  append_text(attributes, "db.operation.name", asked_->operation());
  append_text(attributes, "db.query.summary", summary);
  append_member(attributes, "db.response.returned_rows", std::to_string(asked_->rows()));
  if (!reply) append_text(attributes, "error.type", reply.error().code);
  std::string span = "{";
  append_text(span, "name", summary);
  append_member(span, "begin_ns", std::to_string(asked_->begin_ns()));
  append_member(span, "end_ns", std::to_string(asked_->end_ns()));
  append_member(span, "attributes", attributes + "}");
  static_cast<void>(call_.part("gantry/span", span + "}"));
}

}  // namespace gantry::data
