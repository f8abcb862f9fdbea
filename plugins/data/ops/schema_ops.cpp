#include "ops/schema_ops.hpp"

#include <algorithm>

#include <gantry/json_writer.hpp>

#include "errors/query_error.hpp"
#include "ops/document_schema.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kMostNames = 1000;

bool wanted(const ClassView& cls, const std::vector<std::string_view>& names,
            std::string_view prefix) {
  return cls.name.starts_with(prefix) &&
         (names.empty() || std::find(names.begin(), names.end(), cls.name) != names.end());
}

// A field as get_schema lists it.
struct ListedField {
  std::string name;
  Kind kind;
  bool required, indexed;
  const FieldView* field = nullptr;  // null: a common field, or one seen in documents
};

// The three common fields, then the stored ones. Of an open class those that sampled documents
// have; others may have more.
std::vector<ListedField> listed_fields(const Request& request, const ClassView& cls) {
  std::vector<ListedField> listed;
  const bool has_id = cls.is_open() || cls.id_form != IdForm::none;
  if (has_id && cls.find("objectId") == nullptr) {
    listed.push_back({"objectId", Kind::string, true, !cls.is_open()});
  }
  if (cls.is_open()) {
    for (SeenField& seen : seen_fields(request, cls)) {
      if (seen.name != "objectId")
        listed.push_back({std::move(seen.name), seen.kind, false, false});
    }
  }
  for (const std::string_view name : kDateRoles) {
    const FieldView* const field = cls.role(name);
    if (field == nullptr || field->name == name) continue;
    listed.push_back({std::string(name), Kind::date, field->required, field->indexed});
  }
  for (const FieldView& field : cls.fields) {
    listed.push_back({field.name, field.kind, field.required, field.indexed, &field});
  }
  return listed;
}

// How the field may be named in a `where`. Names a pointer's class only if the caller may see it.
void describe_use(JsonWriter& json, const FieldView& field) {
  if (field.kind == Kind::date) {
    json.key("query_hint")
        .string(R"(An ISO 8601 date, "2026-11-21T20:00:00Z", or {"__type":"Date","iso":"…"})");
  }
  if (field.kind != Kind::pointer) return;
  const std::string target = field.redacted ? "<targetClass>" : field.target_class;
  if (!field.redacted) json.key("target_class").string(target);
  json.key("query_hint")
      .string(R"(A bare id such as "ID", or {"__type":"Pointer","className":)" +
              quoted_json(target) +
              R"(,"objectId":"ID"}; list the field in include for the whole object)");
}

void describe_field(JsonWriter& json, const ListedField& listed) {
  json.begin_object().key("name").string(listed.name);
  json.key("type").string(kind_name(listed.kind)).key("required").boolean(listed.required);
  if (listed.field != nullptr) describe_use(json, *listed.field);
  if (listed.indexed) json.key("indexed").boolean(true);
  json.end_object();
}

void begin_index(JsonWriter& json, const std::string& name,
                 const std::vector<std::string>& fields) {
  json.begin_object().key("name").string(name).key("fields").begin_array();
  for (const std::string& field : fields) json.string(field);
  json.end_array();
}

void describe_indexes(JsonWriter& json, const ClassView& cls) {
  json.key("indexes").begin_array();
  for (const Index& index : cls.indexes) {
    begin_index(json, index.name, index.fields);
    json.key("unique").boolean(index.unique).end_object();
  }
  for (const SearchIndex& index : cls.searches) {  // for $text, which open classes do not have
    if (cls.is_open() || !index.unusable.empty()) continue;
    begin_index(json, index.name, index.fields);
    json.key("unique").boolean(false).key("text").boolean(true).end_object();
  }
  json.end_array();
}

std::string_view type_name(ClassType type) {
  if (type == ClassType::built_in) return "built_in";
  return type == ClassType::view ? "view" : "custom";
}

}  // namespace

Reply list_classes(const Request& request) {
  const auto names = optional_strings(request, "names", kMostNames);
  const auto prefix = optional_string(request, "prefix");
  std::string built_in_text, custom_text;
  JsonWriter built_in(built_in_text), custom(custom_text);
  built_in.begin_array();
  custom.begin_array();
  std::size_t total = 0, visible = 0;
  for (const ClassView* cls : request.scope.classes()) {
    ++visible;
    if (!wanted(*cls, names, prefix)) continue;
    ++total;
    JsonWriter& json = cls->type == ClassType::built_in ? built_in : custom;
    json.begin_object().key("name").string(cls->name);
    json.key("fields").number(listed_fields(request, *cls).size()).end_object();
  }
  built_in.end_array();
  custom.end_array();
  Reply reply;
  JsonWriter out(reply.meta);
  out.begin_object().key("total").number(total);
  out.key("built_in").raw(built_in_text).key("custom").raw(custom_text);
  if (total == 0 && visible > 0) {
    out.key("note").string("No class matches; call without names and prefix to see all " +
                           std::to_string(visible));
  }
  out.end_object();
  return reply;
}

Reply describe_class(const Request& request) {
  const ClassView& cls = requested_class(request);
  Reply reply;
  JsonWriter json(reply.meta);
  json.begin_object().key("class_name").string(cls.name).key("type").string(type_name(cls.type));
  json.key("fields").begin_array();
  for (const ListedField& field : listed_fields(request, cls)) describe_field(json, field);
  json.end_array();
  describe_indexes(json, cls);
  json.key("estimated_rows").number(cls.estimated_rows).end_object();
  return reply;
}

}  // namespace gantry::data
