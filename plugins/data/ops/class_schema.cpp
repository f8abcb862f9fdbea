#include "ops/class_schema.hpp"

#include <algorithm>

#include "ops/model_echo.hpp"
#include "ops/sampled_fields.hpp"
#include "ops/sql/sql_statement.hpp"
#include "plan/class_source.hpp"
#include "plan/read.hpp"

namespace gantry::data {
namespace {

// A field as get_schema lists it.
struct ListedField {
  std::string name;
  Kind kind;
  bool required, indexed;
  const FieldView* field = nullptr;  // null: a common field, or one seen in documents
  std::vector<SeenField> keys = {};  // of JSON
};

void list_common(const ClassView& cls, std::vector<ListedField>& listed) {
  const std::string_view id = cls.id_alias();
  if (!id.empty() && cls.find(id) == nullptr) {
    listed.push_back({std::string(id), Kind::string, true, !cls.is_open()});
  }
}

void list_roles(const ClassView& cls, std::vector<ListedField>& listed) {
  for (const std::string_view name : kDateRoles) {
    const FieldView* const field = cls.role(name);
    if (field == nullptr || field->name == name) continue;
    listed.push_back({std::string(name), Kind::date, field->required, field->indexed});
  }
}

// The three common fields, then the stored ones. Of an open class those that sampled documents
// have; others may have more.
std::vector<ListedField> listed_fields(const Request& request, const ClassView& cls) {
  std::vector<ListedField> listed;
  list_common(cls, listed);
  if (cls.is_open()) {
    for (SeenField& seen : seen_fields(request, cls)) {
      if (seen.name == "objectId") continue;
      listed.push_back(
          {std::move(seen.name), seen.kind, false, false, nullptr, std::move(seen.keys)});
    }
  }
  list_roles(cls, listed);
  for (const FieldView& field : cls.fields) {
    listed.push_back(
        {field.name, field.kind, field.required, field.indexed || cls.is_key(field), &field});
  }
  return listed;
}

void add_keys(const Request& request, const ClassView& cls, std::vector<ListedField>& listed) {
  for (SeenField& seen : seen_json_columns(request, cls)) {
    for (ListedField& field : listed) {
      const bool is_json = field.field != nullptr && field.field->json;
      if (is_json && field.name == seen.name) field.keys = std::move(seen.keys);
    }
  }
}

// Names a pointer's class only if the caller may see it.
void describe_pointer(JsonWriter& json, const FieldView& field) {
  if (field.redacted) {
    json.key("query_hint").string("<targetClass>: its ids are not shown, compared or joined");
    return;
  }
  json.key("target_class").string(field.target_class);
  std::string key = field.target_field.empty() ? "objectId" : field.target_field;
  const Kind kind = field.key_kind == Kind::date ? Kind::date : field.native;
  if (kind != Kind::any) key.append(", ").append(kind_name(kind));
  json.key("query_hint").string(field.target_class + "." + key);
}

void describe_allowed(JsonWriter& json, const Field& field) {
  if (!shows_allowed(field)) return;
  json.key("allowed_values").begin_array();
  for (std::size_t i = 0; i < field.allowed.size(); ++i) {
    json.begin_object().key("value");
    write_literal(json, field.allowed[i]);
    const bool has_description =
        i < field.allowed_descriptions.size() && !field.allowed_descriptions[i].empty();
    if (has_description) json.key("description").string(field.allowed_descriptions[i]);
    json.end_object();
  }
  json.end_array();
}

// The stored field, or the one that the model describes in a class of documents; null: neither.
const Field* said_of(const ClassView& cls, const ListedField& listed) {
  if (listed.field != nullptr) return listed.field;
  const auto stated = std::find_if(cls.stated.begin(), cls.stated.end(),
                                   [&](const Field& one) { return one.name == listed.name; });
  return stated == cls.stated.end() ? nullptr : &*stated;
}

void describe_keys(JsonWriter& json, const std::vector<SeenField>& keys) {
  if (keys.empty()) return;
  json.key("keys").begin_array();
  for (const SeenField& key : keys) {
    json.begin_object().key("name").string(key.name);
    json.key("type").string(kind_name(key.kind)).end_object();
  }
  json.end_array();
}

void describe_field(JsonWriter& json, const ClassView& cls, const ListedField& listed) {
  json.begin_object().key("name").string(listed.name);
  json.key("type").string(kind_name(listed.kind)).key("required").boolean(listed.required);
  if (const Field* const field = said_of(cls, listed)) {
    if (!field->description.empty()) json.key("description").string(field->description);
    describe_allowed(json, *field);
  }
  const bool is_pointer = listed.kind == Kind::pointer;
  if (!is_pointer && is_large_field(cls, listed.name)) json.key("large_field").boolean(true);
  if (is_pointer && listed.field != nullptr) describe_pointer(json, *listed.field);
  describe_keys(json, listed.keys);
  if (listed.indexed) json.key("indexed").boolean(true);
  json.end_object();
}

void note_kind(const ListedField& listed, UsedKinds& kinds) {
  const bool is_redacted = listed.field != nullptr && listed.field->redacted;
  kinds.pointer = kinds.pointer || (listed.kind == Kind::pointer && !is_redacted);
  kinds.date = kinds.date || listed.kind == Kind::date;
  kinds.json = kinds.json || !listed.keys.empty();
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
  for (const SearchIndex& index : cls.searches) {  // for $text
    if (!index.unusable.empty()) continue;
    begin_index(json, index.name, index.fields);
    json.key("unique").boolean(false).key("text").boolean(true).end_object();
  }
  json.end_array();
}

std::string_view type_name(ClassType type) {
  if (type == ClassType::built_in) return "built_in";
  return type == ClassType::view ? "view" : "custom";
}

// The field, or the fields whose values are joined, as the ids are.
std::string id_field_of(const ClassView& cls) {
  if (cls.key_fields.empty()) return std::string(cls.id_alias());
  std::string names;
  for (const FieldView& part : cls.key_fields) {
    names += (names.empty() ? "" : ",") + part.name;
  }
  return names;
}

// Where rules decide which rows the agent sees: the number of those that it may count, if there are
// at most 10,000.
std::optional<std::int64_t> counted_rows(const Request& request, const std::string& name) {
  constexpr std::int64_t kMostCounted = 10'000;
  ReadContext counting = request;
  counting.scope = request.scope.for_op(ClassOp::count).with_canonical(false);
  const ClassView* const cls = counting.scope.open(name);
  if (cls == nullptr || cls->refusal != RowRules::Refusal::none) return std::nullopt;
  Read all{cls};
  all.limit = kMostCounted + 1;
  all.may_scan = true;
  std::int64_t rows = 0;
  read_rows(counting, all, [&](ClassSource& source, const Clauses& clauses) {
    rows = static_cast<std::int64_t>(count_rows(source, *cls, clauses));
  });
  return rows > kMostCounted ? std::nullopt : std::optional(rows);
}

}  // namespace

bool shows_allowed(const Field& field) {
  return !field.allowed.empty() && field.kind != Kind::date && field.kind != Kind::boolean;
}

void write_literal(JsonWriter& json, const Literal& value) {
  if (const auto* const text = std::get_if<std::string>(&value)) {
    json.string(*text);
  } else if (const auto* const integer = std::get_if<std::int64_t>(&value)) {
    json.number(*integer);
  } else {
    json.number(std::get<double>(value));
  }
}

std::size_t listed_field_count(const Request& request, const ClassView& cls) {
  return listed_fields(request, cls).size();
}

void write_class(const Request& request, const ClassView& cls, UsedKinds& kinds, JsonWriter& json) {
  std::vector<ListedField> fields = listed_fields(request, cls);
  add_keys(request, cls, fields);
  json.key("class_name").string(cls.name).key("type").string(type_name(cls.type));
  write_description(cls, json);
  if (cls.has_ids()) json.key("id_field").string(id_field_of(cls));
  write_sql_form(request, cls, json);
  json.key("fields").begin_array();
  for (const ListedField& field : fields) {
    note_kind(field, kinds);
    describe_field(json, cls, field);
  }
  json.end_array();
  write_echoes(cls, json);
  describe_indexes(json, cls);
  const auto rows = cls.has_row_rules ? counted_rows(request, cls.name) : cls.estimated_rows;
  if (rows) json.key("estimated_rows").number(*rows);
}

void write_hints(const UsedKinds& kinds, JsonWriter& json) {
  if (!kinds.pointer && !kinds.date && !kinds.json) return;
  json.key("hints").begin_object();
  if (kinds.pointer) {
    json.key("pointer").string(
        R"(Compare and join it with the key in query_hint, or with {"__type":"Pointer",)"
        R"("className":"CLASS","objectId":"ID"}; "FIELD.name" follows it; include returns )"
        "the object");
  }
  if (kinds.date) {
    json.key("date").string(
        R"(ISO 8601 text, "2026-11-21T20:00:00Z", or {"__type":"Date","iso":"…"}; answers are UTC)");
  }
  if (kinds.json) {
    json.key("json").string(
        R"("FIELD.key" reaches into it; keys are those of sampled rows, others may exist)");
  }
  json.end_object();
}

}  // namespace gantry::data
