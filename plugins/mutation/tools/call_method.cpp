#include "tools/tools.hpp"

#include <gantry/json_writer.hpp>

#include <optional>
#include <string>

#include "core/canonical.hpp"
#include "core/methods.hpp"

namespace mutation {
namespace {

using gantry::Call;
using gantry::Data;
using gantry::DataReply;
using gantry::Json;
using gantry::JsonWriter;

std::string text_in(const Json& object, std::string_view name) {
  const auto value = object.find(name);
  return value ? value->as_string().value_or("") : std::string();
}

// The call, as its parts are needed; the texts outlive the views.
struct Wanted {
  std::string class_name, method_name, object_id;
  std::string arguments = "{}";  // without dry_run
  bool dry_run = false;

  std::string key() const { return class_name + "." + method_name; }
};

Wanted wanted_of(const Json& arguments) {
  Wanted out;
  out.class_name = text_in(arguments, "class_name");
  out.method_name = text_in(arguments, "method_name");
  out.object_id = text_in(arguments, "object_id");
  const auto given = arguments.find("arguments");
  if (!given) return out;
  out.arguments = without(*given, {"dry_run"});
  const auto wish = given->find("dry_run");
  out.dry_run = wish && wish->as_bool().value_or(false);
  return out;
}

std::string class_argument(const Wanted& wanted) {
  std::string text;
  JsonWriter(text).begin_object().key("class_name").string(wanted.class_name).end_object();
  return text;
}

// The sentence of a method that does not exist or may not be called.
void refuse(const Services& services, Call& call, const Wanted& wanted,
            const std::string& methods) {
  const auto explanation = services.catalog.explain(call, "method", wanted.key());
  const auto verdict = explanation ? Json::parse(*explanation) : Json::parse("{}");
  const std::string code = verdict ? text_in(*verdict, "error_code") : std::string();
  if (code.empty() || code == "not_found") {
    (void)call.fail("not_found", no_method(wanted.class_name, wanted.method_name, methods));
    return;
  }
  const auto details = verdict->find("details");
  (void)call.fail(code, text_in(*verdict, "reason"),
                  details ? std::string(details->text()) : std::string());
}

// The object's JSON, "{}" of a class method; nothing: an error has ended the call.
std::optional<std::string> object_for(const Services& services, Call& call, const Wanted& wanted) {
  if (wanted.object_id.empty()) return "{}";
  std::string args;
  JsonWriter out(args);
  out.begin_object().key("class_name").string(wanted.class_name);
  out.key("object_id").string(wanted.object_id).end_object();
  DataReply reply = services.data.run(call, "get", args);
  if (reply.status) return std::move(reply.rows);
  Data::fail(call, reply);
  return std::nullopt;
}

std::string call_entry(const Wanted& wanted, const std::string& object) {
  std::string text;
  JsonWriter out(text);
  out.begin_object();
  if (!wanted.object_id.empty()) out.key("object_id").string(wanted.object_id);
  out.key("object").raw(object).key("arguments").raw(wanted.arguments);
  if (wanted.dry_run) out.key("dry_run").boolean(true);
  out.end_object();
  return text;
}

struct Outcome {
  gantry::Status status;
  std::string error, json, text;
};

Outcome enter(const Services& services, Call& call, const Wanted& wanted,
              const std::string& object) {
  Outcome out;
  const std::string key = wanted.key(), entry = call_entry(wanted, object);
  out.status = services.invoke.call(call, {"method", key, entry, {}},
                                    [&out](std::string_view type, std::string_view body) {
                                      if (type == "error") out.error += body;
                                      if (type == "json") out.json += body;
                                      if (type == "text") out.text += body;
                                    });
  return out;
}

void answer(Call& call, const Wanted& wanted, const MethodEntry& method, const Outcome& outcome) {
  if (wanted.dry_run && !method.supports_dry_run) {
    (void)call.structured(outcome.json);
    return;
  }
  std::string text;
  JsonWriter out(text);
  out.begin_object().key("class_name").string(wanted.class_name);
  out.key("method").string(wanted.method_name);
  if (!wanted.object_id.empty()) out.key("object_id").string(wanted.object_id);
  if (wanted.dry_run) {
    out.key("dry_run").boolean(true).key("supports_real_dry_run").boolean(true);
    if (const auto rows = rows_of(outcome.json)) out.key("rows").number(*rows);
  }
  out.key("result");
  outcome.json.empty() ? out.string(outcome.text) : out.raw(outcome.json);
  out.end_object();
  (void)call.structured(text);
}

}  // namespace

// The class first, so that a method of a class that the agent may not see is no different from one
// of a class that does not exist; then gates, tier and lists; then the class's permission and the
// object. The host checks arguments, approval and previews when the method is entered.
void call_method(const Services& services, Call& call) {
  const auto arguments = Json::parse(call.arguments());
  if (!arguments) return (void)call.fail("invalid_argument", arguments.message());
  const Wanted wanted = wanted_of(*arguments);
  const DataReply access = services.data.run(call, "access", class_argument(wanted));
  if (!access.status) return Data::fail(call, access);
  const auto methods = services.catalog.items(call, "method");
  const std::string listed = methods ? *methods : "[]";
  const auto method = find_method(listed, wanted.class_name, wanted.method_name);
  if (!method) return refuse(services, call, wanted, listed);
  if (const std::string denied = lacks_permission(access.meta, *method); !denied.empty()) {
    return (void)call.fail("access_denied", denied, R"({"kind":"class_permission"})");
  }
  const auto object = object_for(services, call, wanted);
  if (!object) return;
  const Outcome outcome = enter(services, call, wanted, *object);
  if (!outcome.status) {
    DataReply failed;
    failed.status = outcome.status;
    failed.error = outcome.error;
    return Data::fail(call, failed);
  }
  answer(call, wanted, *method, outcome);
}

}  // namespace mutation
