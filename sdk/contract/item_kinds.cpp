#include "sdk/contract/item_kinds.hpp"

#include <array>
#include <utility>

namespace gantry::contract {
namespace {

constexpr std::array<ItemKind, 7> kKinds{{
    {"tool", "tool", AnswerForm::parts, "", true, true},
    {"service", "service", AnswerForm::parts, "", true, false},
    {"prompt", "prompt", AnswerForm::object, "messages", true, true},
    {"resource", "resource", AnswerForm::entries, "contents", true, true},
    {"resource_template", "resource", AnswerForm::entries, "contents", true, true},
    {"completion", "completion", AnswerForm::object, "values", true, false},
    {"resource_list", "resource list", AnswerForm::object, "resources", false, false},
}};

// Sets of kinds: bit i is kKinds[i].
constexpr unsigned only(std::string_view name) {
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (kKinds[i].name == name) return 1U << i;
  }
  return 0;
}
constexpr unsigned kTool = only("tool"), kService = only("service"), kPrompt = only("prompt"),
                   kResource = only("resource"), kTemplate = only("resource_template"),
                   kCompletion = only("completion");
constexpr unsigned kAll = kTool | kService | kPrompt | kResource | kTemplate | kCompletion;
constexpr unsigned kListed = kAll & ~kCompletion;
constexpr unsigned kSchemas = kTool | kService;
constexpr unsigned kRead = kResource | kTemplate;

constexpr std::array<std::pair<std::string_view, unsigned>, 23> kMemberKinds{{
    {"kind", kAll},
    {"name", kAll},
    {"description", kAll},
    {"timeout_ms", kAll},
    {"flags", kAll},
    {"title", kListed},
    {"permission", kListed},
    {"order", kListed},
    {"icons", kListed},
    {"_meta", kListed},
    {"category", kSchemas},
    {"inputSchema", kSchemas},
    {"outputSchema", kSchemas},
    {"annotations", kSchemas | kRead},
    {"arguments", kPrompt},
    {"uri", kResource},
    {"size", kResource},
    {"uriTemplate", kTemplate},
    {"lists", kTemplate},
    {"mimeType", kRead},
    {"subscribe", kRead},
    {"ttlMs", kRead},
    {"cacheScope", kRead},
}};

std::string quoted_list(unsigned kinds) {
  std::string out;
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if ((kinds & (1U << i)) == 0) continue;
    kinds &= ~(1U << i);
    if (!out.empty()) out += kinds == 0 ? " or " : ", ";
    out.append("\"").append(kKinds[i].name).append("\"");
  }
  return out;
}

}  // namespace

std::span<const ItemKind> item_kinds() { return kKinds; }

const ItemKind* find_kind(std::string_view name) {
  for (const ItemKind& kind : kKinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

bool is_item_kind(std::string_view name) {
  const ItemKind* const kind = find_kind(name);
  return kind != nullptr && kind->is_item;
}

const std::string& kind_list() {
  static const std::string all = quoted_list(kAll);
  return all;
}

Status check_member(std::string_view kind, std::string_view member, const std::string& place) {
  unsigned allowed = kAll;
  for (const auto& [name, kinds] : kMemberKinds) {
    if (name == member) allowed = kinds;
  }
  if ((only(kind) & allowed) != 0) return Status::ok();
  return Status::invalid(place + " makes no sense for the kind \"" + std::string(kind) +
                         "\"; it is for " + quoted_list(allowed));
}

}  // namespace gantry::contract
