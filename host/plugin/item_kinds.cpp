#include "host/plugin/item_kinds.hpp"

#include <array>
#include <cstdint>
#include <utility>

namespace gantry::host {
namespace {

enum Kinds : unsigned {
  kTool = 1,
  kService = 2,
  kPrompt = 4,
  kResource = 8,
  kTemplate = 16,
  kCompletion = 32,
};

constexpr std::array<std::pair<std::string_view, Kinds>, 6> kKinds{{
    {"tool", kTool},
    {"service", kService},
    {"prompt", kPrompt},
    {"resource", kResource},
    {"resource_template", kTemplate},
    {"completion", kCompletion},
}};

constexpr unsigned kEntered = kTool | kService | kPrompt | kResource | kTemplate | kCompletion;
constexpr unsigned kListed = kEntered & ~kCompletion;
constexpr unsigned kSchemas = kTool | kService;
constexpr unsigned kRead = kResource | kTemplate;

constexpr std::array<std::pair<std::string_view, unsigned>, 23> kMemberKinds{{
    {"kind", kEntered},         {"name", kEntered},
    {"description", kEntered},  {"timeout_ms", kEntered},
    {"flags", kEntered},        {"title", kListed},
    {"permission", kListed},    {"order", kListed},
    {"icons", kListed},         {"_meta", kListed},
    {"category", kSchemas},     {"inputSchema", kSchemas},
    {"outputSchema", kSchemas}, {"annotations", kSchemas | kRead},
    {"arguments", kPrompt},     {"uri", kResource},
    {"size", kResource},        {"uriTemplate", kTemplate},
    {"lists", kTemplate},       {"mimeType", kRead},
    {"subscribe", kRead},       {"ttlMs", kRead},
    {"cacheScope", kRead},
}};

std::string quoted_list(unsigned kinds) {
  std::string out;
  for (const auto& [name, bit] : kKinds) {
    if ((kinds & bit) == 0) continue;
    kinds &= ~static_cast<unsigned>(bit);
    if (!out.empty()) out += kinds == 0 ? " or " : ", ";
    out += '"';
    out += name;
    out += '"';
  }
  return out;
}

}  // namespace

const std::string& kind_list() {
  static const std::string all = quoted_list(kEntered);
  return all;
}

bool is_kind(std::string_view kind) {
  for (const auto& [name, bit] : kKinds) {
    if (name == kind) return true;
  }
  return false;
}

Status check_member(std::string_view kind, std::string_view member, const std::string& place) {
  unsigned allowed = kEntered;
  for (const auto& [name, kinds] : kMemberKinds) {
    if (name == member) allowed = kinds;
  }
  for (const auto& [name, bit] : kKinds) {
    if (name == kind && (allowed & bit) != 0) return Status::ok();
  }
  return Status::invalid(place + " makes no sense for the kind \"" + std::string(kind) +
                         "\"; it is for " + quoted_list(allowed));
}

}  // namespace gantry::host
