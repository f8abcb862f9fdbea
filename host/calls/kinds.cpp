#include "host/calls/kinds.hpp"

#include <array>

#include <rapidjson/document.h>

#include "host/base/exact_json.hpp"
#include "host/calls/members.hpp"
#include "sdk/contract/answer_forms.hpp"

namespace gantry::host {
namespace {

using Value = rapidjson::Value;

struct Element {
  std::string_view of;
  std::string (*wrong)(const JsonView&);
  std::string_view form;
};

// Listed resources are checked one by one when the list is made, so an invalid one is dropped
// alone.
constexpr std::array<Element, 3> kElements{{
    {"messages", contract::wrong_message<JsonView>, "{role, content}"},
    {"contents", contract::wrong_content<JsonView>, "{text or blob}"},
    {"values", contract::wrong_value<JsonView>, "strings"},
}};

}  // namespace

const ItemKind& kind_of(std::string_view asked, const Item* item) {
  static const ItemKind& tool = *contract::find_kind("tool");
  if (asked.empty() && item != nullptr) asked = item->spec.kind;
  const ItemKind* const kind = contract::find_kind(asked);
  const bool is_entered = kind != nullptr && (kind->for_clients || kind->in(contract::kService));
  return is_entered ? *kind : tool;
}

Output::For output_of(const ItemKind& kind) {
  switch (kind.form) {
    case contract::AnswerForm::object:
      return Output::For::client_object;
    case contract::AnswerForm::entries:
      return Output::For::client_entries;
    case contract::AnswerForm::parts:
      return Output::For::nested_service;
    default:
      return Output::For::client;
  }
}

std::string named(std::string_view kind, std::string_view key) {
  const ItemKind* const known = contract::find_kind(kind);
  std::string text(known == nullptr ? "tool" : known->noun);
  return text.append(" '").append(key).append("'");
}

std::string wrong_form(const ItemKind& kind, std::string_view json) {
  rapidjson::Document document;
  if (!parse_exact<rapidjson::kParseValidateEncodingFlag>(json, document) || !document.IsObject()) {
    return "the result is not one JSON object";
  }
  const Value* const list = member(document, kind.list);
  const std::string name = '"' + std::string(kind.list) + '"';
  if (list == nullptr || !list->IsArray()) return "the result has no array " + name;
  for (const Element& element : kElements) {
    if (element.of != kind.list) continue;
    for (const Value& value : list->GetArray()) {
      const std::string wrong = element.wrong(JsonView(value));
      if (wrong.empty()) continue;
      return name + " holds an element that is not of the form " + std::string(element.form) +
             ": " + wrong;
    }
  }
  return {};
}

}  // namespace gantry::host
