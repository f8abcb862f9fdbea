#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <algorithm>
#include <array>
#include <variant>

#include "model/key_reader.hpp"
#include "model/lines.hpp"
#include "model/model.hpp"

namespace gantry::data::model {
namespace {

using Names = std::vector<std::string>;
using Text = std::string ModelClass::*;
using Flag = bool ModelClass::*;
using List = Names ModelClass::*;
using RuleList = Names ClassRules::*;
using OptionalRuleList = std::optional<Names> ClassRules::*;
using Reader = void (*)(const Key&, ModelClass&);

struct KnownKey {
  std::string_view name;
  std::variant<Text, Flag, List, RuleList, OptionalRuleList, Reader> read;
};

void read_description(const Key& key, ModelClass& cls) { cls.rules.description = key.text(); }
void read_visible(const Key& key, ModelClass& cls) { cls.rules.visible = key.flag(); }

constexpr std::array kKeys{KnownKey{"class", &ModelClass::name},
                           KnownKey{"table", &ModelClass::table},
                           KnownKey{"description", &read_description},
                           KnownKey{"fields", &read_fields},
                           KnownKey{"visible", &read_visible},
                           KnownKey{"hidden", &read_hidden},
                           KnownKey{"agent_fields", &ClassRules::agent_fields},
                           KnownKey{"agent_join_fields", &ClassRules::agent_join_fields},
                           KnownKey{"large_fields", &ClassRules::large_fields},
                           KnownKey{"canonical_filter", &read_canonical_filter},
                           KnownKey{"tenant_scope", &read_tenant_scope},
                           KnownKey{"allow_collscan", &ModelClass::allow_collscan},
                           KnownKey{"class_permissions", &read_class_permissions},
                           KnownKey{"protected_fields", &read_protected_fields},
                           KnownKey{"acl", &read_acl},
                           KnownKey{"pointers", &read_pointers},
                           KnownKey{"id_field", &ModelClass::id_field},
                           KnownKey{"created_at", &ModelClass::created_at},
                           KnownKey{"updated_at", &ModelClass::updated_at},
                           KnownKey{"document", &ModelClass::document},
                           KnownKey{"search", &ModelClass::search},
                           KnownKey{"allow_internal", &ModelClass::allow_internal}};

std::vector<std::string_view> known_keys() {
  std::vector<std::string_view> names;
  for (const KnownKey& key : kKeys) names.push_back(key.name);
  return names;
}

void read_value(const KnownKey& known, const Key& key, ModelClass& cls) {
  if (const auto* text = std::get_if<Text>(&known.read)) cls.*(*text) = key.text();
  if (const auto* flag = std::get_if<Flag>(&known.read)) cls.*(*flag) = key.flag();
  if (const auto* list = std::get_if<List>(&known.read)) cls.*(*list) = key.texts();
  if (const auto* list = std::get_if<RuleList>(&known.read)) cls.rules.*(*list) = key.texts();
  if (const auto* list = std::get_if<OptionalRuleList>(&known.read)) {
    cls.rules.*(*list) = key.texts();
  }
  if (const auto* reader = std::get_if<Reader>(&known.read)) (*reader)(key, cls);
}

// The key's path is its name: the root has none.
void read_key(const Key& key, std::string_view name, ModelClass& cls) {
  static const std::vector<std::string_view> names = known_keys();
  const auto known = std::find_if(kKeys.begin(), kKeys.end(),
                                  [name](const KnownKey& one) { return one.name == name; });
  if (known == kKeys.end()) return key.check_name(name, names);
  read_value(*known, key, cls);
}

std::string syntax_error(std::string_view text, const rapidjson::Document& document) {
  return ":" + std::to_string(line_at(text, document.GetErrorOffset())) +
         ": this is not JSON: " + rapidjson::GetParseError_En(document.GetParseError());
}

}  // namespace

std::string place_of(const ModelClass& cls, const std::string& path) {
  const auto line = cls.lines.find(path);
  return line == cls.lines.end() ? cls.file : cls.file + ":" + std::to_string(line->second);
}

Status undecided(const ModelClass& cls) {
  for (const auto& [name, field] : cls.fields) {
    if (field.decide.empty()) continue;
    return Status::invalid(place_of(cls, "fields." + name + ".decide") + ": the field '" + name +
                           "' still says \"decide\": \"" + field.decide +
                           "\". Decide which agents may see it (agent_fields, protected_fields, "
                           "hidden), then remove the key; or start with --accept-drafts");
  }
  return {};
}

Result<ModelClass> parse_class(const std::string& file, std::string_view text) {
  rapidjson::Document json;
  json.Parse<rapidjson::kParseValidateEncodingFlag | rapidjson::kParseIterativeFlag>(text.data(),
                                                                                     text.size());
  if (json.HasParseError()) return Status::invalid(file + syntax_error(text, json));
  if (!json.IsObject()) {
    return Status::invalid(file + ": must hold one JSON object, which describes one class");
  }
  auto lines = lines_of_keys(text);
  if (!lines) return Status::invalid(file + lines.message());
  ModelClass cls;
  cls.file = file;
  cls.lines = std::move(*lines);
  try {
    for (const auto& member : json.GetObject()) {
      const std::string name(text_of(member.name));
      read_key(Key(cls, name, member.value), name, cls);
    }
    if (cls.name.empty())
      throw BadModel{file + R"(: the key "class" is missing: the class's name)"};
    check_together(cls);
  } catch (const BadModel& bad) {
    return Status::invalid(bad.sentence);
  }
  if (cls.table.empty()) cls.table = cls.name;
  return cls;
}

}  // namespace gantry::data::model
