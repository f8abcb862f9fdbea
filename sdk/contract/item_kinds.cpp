#include "sdk/contract/item_kinds.hpp"

#include <array>

namespace gantry::contract {
namespace {

constexpr std::array<ItemKind, 9> kKinds{{
    {"tool", "tool", kTool, AnswerForm::blocks, "", true, true},
    {"service", "service", kService, AnswerForm::parts, "", false, true},
    {"prompt", "prompt", kPrompt, AnswerForm::object, "messages", true, true},
    {"resource", "resource", kResource, AnswerForm::entries, "contents", true, true},
    {"resource_template", "resource", kTemplate, AnswerForm::entries, "contents", true, true},
    {"completion", "completion", kCompletion, AnswerForm::object, "values", true, false},
    {"method", "method", kMethod, AnswerForm::blocks, "", false, false},
    {"resource_list", "resource list", kEnteredOnly, AnswerForm::object, "resources", true, false},
    {"self_check", "self-check", kEnteredOnly, AnswerForm::parts, "", false, false},
}};

}  // namespace

std::span<const ItemKind> item_kinds() { return kKinds; }

const ItemKind* find_kind(std::string_view name) {
  for (const ItemKind& kind : kKinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

bool is_kind(std::string_view name, KindSet kinds) {
  const ItemKind* const kind = find_kind(name);
  return kind != nullptr && kind->in(kinds);
}

std::string quoted_list(KindSet kinds) {
  std::string out;
  unsigned left = kinds;
  for (const ItemKind& kind : kKinds) {
    if (!kind.in(kinds)) continue;
    left &= ~unsigned{kind.set};
    if (!out.empty()) out += left == 0 ? " or " : ", ";
    out.append("\"").append(kind.name).append("\"");
  }
  return out;
}

}  // namespace gantry::contract
