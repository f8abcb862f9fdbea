#include "ops/schema_ops.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>

#include "errors/query_error.hpp"
#include "ops/document_schema.hpp"

namespace gantry::data {
namespace {

using Buffer = rapidjson::StringBuffer;
using JsonOut = rapidjson::Writer<Buffer>;

void key(JsonOut& json, std::string_view name) {
  json.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
}

void text(JsonOut& json, std::string_view value) {
  json.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
}

void member(JsonOut& json, std::string_view name, std::string_view value) {
  key(json, name);
  text(json, value);
}

std::string taken(const Buffer& buffer) { return {buffer.GetString(), buffer.GetSize()}; }

constexpr std::size_t kMostNames = 1000;

bool wanted(const ClassView& cls, const std::vector<std::string_view>& names,
            std::string_view prefix) {
  return cls.name.starts_with(prefix) &&
         (names.empty() || std::find(names.begin(), names.end(), cls.name) != names.end());
}

// Fields as get_schema lists them: the three common ones, then the stored ones.
struct Listed {
  std::string_view name;
  Kind kind;
  bool required;
  bool indexed;
};

std::vector<Listed> common_fields(const ClassView& cls) {
  std::vector<Listed> common;
  if (cls.id_form != IdForm::none && cls.find("objectId") == nullptr) {
    common.push_back({"objectId", Kind::string, true, true});
  }
  for (const std::string_view name : kDateRoles) {
    const FieldView* const field = cls.role(name);
    if (field == nullptr || field->name == name) continue;
    common.push_back({name, Kind::date, field->required, field->indexed});
  }
  return common;
}

// The operand of a pointer field in a where; names the class only if the caller may see it.
void describe_pointer(JsonOut& json, const FieldView& field) {
  const std::string target = field.redacted ? "<targetClass>" : field.target_class;
  if (!field.redacted) member(json, "target_class", target);
  Buffer name;
  JsonOut quoted(name);
  text(quoted, target);
  member(json, "query_hint",
         R"(A bare id such as "ID", or {"__type":"Pointer","className":)" + taken(name) +
             R"(,"objectId":"ID"}; list the field in include for the whole object)");
}

void describe_field(JsonOut& json, const FieldView& field) {
  json.StartObject();
  member(json, "name", field.name);
  member(json, "type", kind_name(field.kind));
  key(json, "required");
  json.Bool(field.required);
  if (field.kind == Kind::pointer) describe_pointer(json, field);
  if (field.kind == Kind::date) {
    member(json, "query_hint",
           R"(An ISO 8601 date, "2026-11-21T20:00:00Z", or {"__type":"Date","iso":"…"})");
  }
  if (field.indexed) {
    key(json, "indexed");
    json.Bool(true);
  }
  json.EndObject();
}

void describe_listed(JsonOut& json, const Listed& field) {
  json.StartObject();
  member(json, "name", field.name);
  member(json, "type", kind_name(field.kind));
  key(json, "required");
  json.Bool(field.required);
  if (field.indexed) {
    key(json, "indexed");
    json.Bool(true);
  }
  json.EndObject();
}

// The fields seen in sampled documents; others may have more.
void describe_documents(JsonOut& json, const Request& request, const ClassView& cls) {
  key(json, "fields");
  json.StartArray();
  describe_listed(json, {"objectId", Kind::string, true, false});
  for (const SeenField& field : seen_fields(request, cls)) {
    if (field.name != "objectId") describe_listed(json, {field.name, field.kind, false, false});
  }
  json.EndArray();
}

void describe_fields(JsonOut& json, const ClassView& cls) {
  key(json, "fields");
  json.StartArray();
  for (const Listed& field : common_fields(cls)) describe_listed(json, field);
  for (const FieldView& field : cls.fields) describe_field(json, field);
  json.EndArray();
}

// A full-text index for $text.
void describe_search(JsonOut& json, const SearchIndex& index, const ClassView& cls) {
  if (cls.is_document() || !index.unusable.empty()) return;
  json.StartObject();
  member(json, "name", index.name);
  key(json, "fields");
  json.StartArray();
  for (const std::string& name : index.fields) text(json, name);
  json.EndArray();
  key(json, "unique");
  json.Bool(false);
  key(json, "text");
  json.Bool(true);
  json.EndObject();
}

void describe_indexes(JsonOut& json, const ClassView& cls) {
  key(json, "indexes");
  json.StartArray();
  for (const Index& index : cls.indexes) {
    json.StartObject();
    member(json, "name", index.name);
    key(json, "fields");
    json.StartArray();
    for (const std::string& name : index.fields) text(json, name);
    json.EndArray();
    key(json, "unique");
    json.Bool(index.unique);
    json.EndObject();
  }
  for (const SearchIndex& index : cls.searches) describe_search(json, index, cls);
  json.EndArray();
}

std::size_t field_count(const Request& request, const ClassView& cls) {
  if (!cls.is_document()) {
    return cls.fields.size() + common_fields(cls).size();
  }
  const auto seen = seen_fields(request, cls);
  return seen.size() +
         (std::none_of(seen.begin(), seen.end(),
                       [](const SeenField& field) { return field.name == "objectId"; })
              ? 1
              : 0);
}

std::string_view type_name(ClassType type) {
  switch (type) {
    case ClassType::built_in:
      return "built_in";
    case ClassType::view:
      return "view";
    case ClassType::custom:
      break;
  }
  return "custom";
}

}  // namespace

Reply list_classes(const Request& request) {
  const auto names = optional_strings(request, "names", kMostNames);
  const auto prefix = optional_string(request, "prefix");
  Buffer built_in_buffer, custom_buffer;
  JsonOut built_in(built_in_buffer), custom(custom_buffer);
  built_in.StartArray();
  custom.StartArray();
  std::size_t total = 0, visible = 0;
  for (const ClassView* cls : request.scope.classes()) {
    ++visible;
    if (!wanted(*cls, names, prefix)) continue;
    ++total;
    JsonOut& json = cls->type == ClassType::built_in ? built_in : custom;
    json.StartObject();
    member(json, "name", cls->name);
    key(json, "fields");
    json.Uint64(field_count(request, *cls));
    json.EndObject();
  }
  built_in.EndArray();
  custom.EndArray();
  Reply reply;
  reply.meta = R"({"total":)" + std::to_string(total) + R"(,"built_in":)" + taken(built_in_buffer) +
               R"(,"custom":)" + taken(custom_buffer);
  if (total == 0 && visible > 0) {
    reply.meta += R"(,"note":"No class matches; call without names and prefix to see all )" +
                  std::to_string(visible) + R"("})";
  } else {
    reply.meta += '}';
  }
  return reply;
}

Reply describe_class(const Request& request) {
  const ClassView& cls = requested_class(request);
  Buffer buffer;
  JsonOut json(buffer);
  json.StartObject();
  member(json, "class_name", cls.name);
  member(json, "type", type_name(cls.type));
  if (cls.is_document()) {
    describe_documents(json, request, cls);
  } else {
    describe_fields(json, cls);
  }
  describe_indexes(json, cls);
  key(json, "estimated_rows");
  json.Int64(cls.estimated_rows);
  json.EndObject();
  Reply reply;
  reply.meta = taken(buffer);
  return reply;
}

}  // namespace gantry::data
