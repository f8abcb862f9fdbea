#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <algorithm>
#include <array>
#include <set>
#include <variant>

#include "model/model.hpp"

namespace gantry::data::model {
namespace {

using Json = rapidjson::Value;

struct Key {
  std::string_view name;
  std::variant<std::string ModelClass::*, bool ModelClass::*> member;
};
constexpr std::array kKeys{Key{"class", &ModelClass::name}, Key{"table", &ModelClass::table},
                           Key{"document", &ModelClass::document},
                           Key{"allow_collscan", &ModelClass::allow_collscan}};

std::string_view text_of(const Json& json) { return {json.GetString(), json.GetStringLength()}; }

Status wrong(const std::string& file, const std::string& what) {
  return Status::invalid(file + ": " + what);
}

std::string known_keys() {
  std::string names;
  for (const Key& key : kKeys) names += (names.empty() ? "" : ", ") + std::string(key.name);
  return names;
}

Status read_key(const std::string& file, std::string_view name, const Json& json, ModelClass& cls) {
  const auto key = std::find_if(kKeys.begin(), kKeys.end(),
                                [name](const Key& known) { return known.name == name; });
  const std::string quoted = "\"" + std::string(name) + "\"";
  if (key == kKeys.end()) {
    return wrong(file, "the key " + quoted +
                           " is not known, so it would have no effect; known: " + known_keys());
  }
  if (const auto* flag = std::get_if<bool ModelClass::*>(&key->member)) {
    if (!json.IsBool()) return wrong(file, quoted + " must be true or false");
    cls.*(*flag) = json.GetBool();
    return {};
  }
  if (!json.IsString() || json.GetStringLength() == 0) {
    return wrong(file, quoted + " must be a string that is not empty");
  }
  if (text_of(json).find('\0') != std::string_view::npos) {
    return wrong(file, quoted + " must not hold a NUL character");
  }
  cls.*std::get<std::string ModelClass::*>(key->member) = text_of(json);
  return {};
}

std::string syntax_error(std::string_view text, const rapidjson::Document& document) {
  const auto at = std::min(document.GetErrorOffset(), text.size());
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  return ":" + std::to_string(line) +
         ": this is not JSON: " + rapidjson::GetParseError_En(document.GetParseError());
}

}  // namespace

Result<ModelClass> parse_class(const std::string& file, std::string_view text) {
  rapidjson::Document json;
  json.Parse<rapidjson::kParseValidateEncodingFlag | rapidjson::kParseIterativeFlag>(text.data(),
                                                                                     text.size());
  if (json.HasParseError()) return Status::invalid(file + syntax_error(text, json));
  if (!json.IsObject()) return wrong(file, "must hold one JSON object, which describes one class");
  ModelClass cls;
  cls.file = file;
  std::set<std::string_view> seen;
  for (const auto& member : json.GetObject()) {
    const std::string_view name = text_of(member.name);
    if (!seen.insert(name).second) {
      return wrong(file, "the key \"" + std::string(name) + "\" is there twice");
    }
    if (Status status = read_key(file, name, member.value, cls); !status) return status;
  }
  if (cls.name.empty()) return wrong(file, R"(the key "class" is missing: the class's name)");
  if (cls.table.empty()) cls.table = cls.name;
  return cls;
}

}  // namespace gantry::data::model
