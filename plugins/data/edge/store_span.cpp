#include "edge/store_span.hpp"

#include <string>

#include <gantry/json.hpp>
#include <gantry/json_writer.hpp>

namespace gantry::data {
namespace {

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
  std::string span;
  JsonWriter json(span);
  json.begin_object().key("name").string(summary);
  json.key("begin_ns").number(asked_->begin_ns()).key("end_ns").number(asked_->end_ns());
  json.key("attributes").begin_object().key("db.system.name").string("sqlite");
  if (!cls.empty()) json.key("db.collection.name").string(cls);
  json.key("db.operation.name").string(asked_->operation());
  json.key("db.query.summary").string(summary);
  json.key("db.response.returned_rows").number(asked_->rows());
  if (!reply) json.key("error.type").string(reply.error().code);
  json.end_object().end_object();
  static_cast<void>(call_.part("gantry/span", span));
}

}  // namespace gantry::data
