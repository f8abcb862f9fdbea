// The keys "fields" and "pointers".
#include <algorithm>

#include "model/key_reader.hpp"

namespace gantry::data::model {
namespace {

Literal read_literal(const Key& key) {
  const Json& json = key.json();
  if (json.IsString()) return std::string(text_of(json));
  if (json.IsInt64()) return json.GetInt64();
  if (json.IsDouble()) return json.GetDouble();
  key.must_be("strings or numbers, each alone or as {\"value\": …, \"description\": \"…\"}");
}

void read_enum(const Key& key, const ModelClass& cls, const std::string& path, ModelField& field) {
  if (!key.json().IsArray() || key.json().Empty()) {
    key.must_be("an array of the values that the field can have");
  }
  std::vector<std::string> descriptions;
  for (const Json& one : key.json().GetArray()) {
    const Key entry(cls, path, one);
    std::string description;
    if (one.IsObject()) {
      if (!one.HasMember("value")) entry.wrong(key.quoted() + ": an entry has no \"value\"");
      entry.members({"value", "description"}, [&](const std::string& name, const Key& part) {
        if (name == "value") field.allowed.push_back(read_literal(part));
        if (name == "description") description = part.text();
      });
    } else {
      field.allowed.push_back(read_literal(entry));
    }
    descriptions.push_back(description);
  }
  const bool has_any = std::any_of(descriptions.begin(), descriptions.end(),
                                   [](const std::string& text) { return !text.empty(); });
  if (has_any) field.allowed_descriptions = std::move(descriptions);
}

std::string read_decide(const Key& key) {
  const std::string what = key.text();
  if (what != "secret" && what != "personal") key.must_be("\"secret\" or \"personal\"");
  return what;
}

}  // namespace

void read_fields(const Key& key, ModelClass& cls) {
  key.members({}, [&](const std::string& name, const Key& of_field) {
    ModelField field;
    of_field.members({"description", "enum", "decide", "reason"},
                     [&](const std::string& part, const Key& value) {
                       if (part == "description") field.description = value.text();
                       if (part == "enum") {
                         read_enum(value, cls, "fields." + name + ".enum", field);
                       }
                       if (part == "decide") field.decide = read_decide(value);
                       if (part == "reason") value.text();
                     });
    const bool has_reason = of_field.json().HasMember("reason");
    if (has_reason && field.decide.empty()) {
      of_field.wrong(of_field.quoted() + R"( has a "reason" without "decide"; remove it)");
    }
    cls.fields.emplace(name, std::move(field));
  });
}

void read_pointers(const Key& key, ModelClass& cls) {
  key.members({}, [&](const std::string& name, const Key& of_pointer) {
    ModelPointer pointer{name, name, ""};
    if (of_pointer.json().IsString()) {
      pointer.target_class = of_pointer.text();
    } else if (of_pointer.json().IsObject()) {
      of_pointer.members(
          {"column", "target_class"}, [&](const std::string& part, const Key& value) {
            (part == "column" ? pointer.column : pointer.target_class) = value.text();
          });
    } else {
      of_pointer.must_be(R"(the target class, or {"column": …, "target_class": …})");
    }
    cls.pointers.push_back(std::move(pointer));
  });
}

}  // namespace gantry::data::model
