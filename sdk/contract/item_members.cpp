#include "sdk/contract/item_members.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "sdk/contract/fields.hpp"
#include "sdk/contract/gates.hpp"
#include "sdk/contract/item_kinds.hpp"
#include "sdk/contract/names.hpp"
#include "sdk/contract/uris.hpp"

namespace gantry::contract {
namespace {

constexpr std::int64_t kMaxTimeoutMs = 3'600'000;
constexpr std::int64_t kMaxOrder = 1'000'000;
constexpr std::int64_t kMaxTtlMs = 31'536'000'000;        // a year
constexpr std::int64_t kMaxSize = 9'007'199'254'740'991;  // what every client can read
constexpr std::size_t kMaxArguments = 64;
using Kind = RawJson::Kind;

template <std::string Item::*member>
Status text(const std::string& place, const RawJson& value, Item& item) {
  return take_string(place, value, item.*member);
}
template <std::string Item::*member, RawJson::Kind kind>
Status json(const std::string& place, const RawJson& value, Item& item) {
  return take_text(place, value, kind, item.*member);
}
template <bool Item::*member>
Status flag(const std::string& place, const RawJson& value, Item& item) {
  return take_bool(place, value, item.*member);
}
template <std::chrono::milliseconds Item::*member, std::int64_t low, std::int64_t high>
Status time(const std::string& place, const RawJson& value, Item& item) {
  std::int64_t milliseconds = 0;
  Status status = take_int(place, value, low, high, milliseconds);
  item.*member = std::chrono::milliseconds(milliseconds);
  return status;
}

Status kind(const std::string& place, const RawJson& value, Item& item) {
  if (Status status = take_string(place, value, item.kind); !status) return status;
  return is_kind(item.kind, kItems) ? Status::ok() : wrong_field(place, quoted_list(kItems), value);
}
Status category(const std::string& place, const RawJson& value, Item& item) {
  if (Status status = take_string(place, value, item.category); !status) return status;
  return item.category.empty() ? wrong_field(place, "a word such as \"search\"", value)
                               : Status::ok();
}
Status permission(const std::string& place, const RawJson& value, Item& item) {
  std::string word;
  if (Status status = take_string(place, value, word); !status) return status;
  const auto tier = tier_from(word);
  if (!tier) return wrong_field(place, "\"readonly\", \"write\" or \"admin\"", value);
  item.tier = *tier;
  return Status::ok();
}
Status flags(const std::string& place, const RawJson& value, Item& item) {
  std::vector<std::string> words;
  if (Status status = take_strings(place, value, words); !status) return status;
  for (const std::string& word : words) {
    if (word == "blocking") {
      item.blocking = true;
    } else if (word == "non_blocking") {
      item.non_blocking = true;
    } else {
      return wrong_field(place, "an array of \"blocking\" or \"non_blocking\"", value);
    }
  }
  return Status::ok();
}
Status gates(const std::string& place, const RawJson& value, Item& item) {
  std::vector<std::string> words;
  if (Status status = take_strings(place, value, words); !status) return status;
  for (const std::string& word : words) {
    const auto gate = gate_from(word);
    if (!gate) return wrong_field(place, "an array of " + quoted_gates(), value);
    item.gates = united(item.gates, *gate);
  }
  return Status::ok();
}
Status order(const std::string& place, const RawJson& value, Item& item) {
  std::int64_t number = 0;
  if (Status status = take_int(place, value, 0, kMaxOrder, number); !status) return status;
  item.order = static_cast<int>(number);
  return Status::ok();
}

Status argument(const std::string& place, const RawJson& value, Item& item) {
  if (!value.is(Kind::object)) return wrong_field(place, "an object", value);
  PromptArgument made;
  for (const auto& [name, part] : value.members()) {
    const std::string at = place + "." + name;
    Status status = name == "name"          ? take_string(at, part, made.name)
                    : name == "title"       ? take_string(at, part, made.title)
                    : name == "description" ? take_string(at, part, made.description)
                    : name == "required"    ? take_bool(at, part, made.required)
                                            : Status::ok();
    if (!status) return status;
  }
  if (!is_tool_name(made.name)) {
    return Status::invalid(place + ".name must be 1 to 64 of A-Z a-z 0-9 _ . -; it is \"" +
                           made.name + "\"");
  }
  for (const PromptArgument& other : item.arguments) {
    if (other.name != made.name) continue;
    return Status::invalid(place + ".name: the argument \"" + made.name +
                           "\" is there twice; keep one");
  }
  item.arguments.push_back(std::move(made));
  return Status::ok();
}
Status arguments(const std::string& place, const RawJson& value, Item& item) {
  if (!value.is(Kind::array)) return wrong_field(place, "an array of objects", value);
  const std::vector<RawJson> elements = value.elements();
  if (elements.size() > kMaxArguments) {
    return Status::invalid(place + " has " + std::to_string(elements.size()) +
                           " entries; at most 64 are allowed");
  }
  for (std::size_t i = 0; i < elements.size(); ++i) {
    Status status = argument(place + "[" + std::to_string(i) + "]", elements[i], item);
    if (!status) return status;
  }
  return Status::ok();
}

Status uri(const std::string& place, const RawJson& value, Item& item) {
  if (Status status = take_string(place, value, item.uri); !status) return status;
  return item.kind == "resource" ? check_uri(place, item.uri) : check_uri_template(place, item.uri);
}
Status mime_type(const std::string& place, const RawJson& value, Item& item) {
  if (Status status = take_string(place, value, item.mime_type); !status) return status;
  const std::size_t slash = item.mime_type.find('/');
  const bool good = slash != std::string::npos && slash > 0 && slash + 1 < item.mime_type.size() &&
                    std::all_of(item.mime_type.begin(), item.mime_type.end(),
                                [](char c) { return c >= ' ' && c <= '~'; });
  return good ? Status::ok() : wrong_field(place, "a media type such as \"text/plain\"", value);
}
Status size(const std::string& place, const RawJson& value, Item& item) {
  std::int64_t bytes = 0;
  if (Status status = take_int(place, value, 0, kMaxSize, bytes); !status) return status;
  item.bytes = static_cast<std::uint64_t>(bytes);
  return Status::ok();
}
Status cache_scope(const std::string& place, const RawJson& value, Item& item) {
  std::string word;
  if (Status status = take_string(place, value, word); !status) return status;
  item.is_public = word == "public";
  const bool known = item.is_public || word == "private";
  return known ? Status::ok() : wrong_field(place, "\"public\" or \"private\"", value);
}

Status method_type(const std::string& place, const RawJson& value, Item& item) {
  std::string word;
  if (Status status = take_string(place, value, word); !status) return status;
  item.on_class = word == "class";
  const bool known = item.on_class || word == "instance";
  return known ? Status::ok() : wrong_field(place, "\"instance\" or \"class\"", value);
}
Status permitted_keys(const std::string& place, const RawJson& value, Item& item) {
  return take_strings(place, value, item.permitted_keys.emplace());
}

// The one list of what an item may hold: the kinds that have the member, and its reading.
struct ItemMember {
  std::string_view name;
  KindSet kinds;
  Status (*take)(const std::string& place, const RawJson& value, Item& item);
};

constexpr ItemMember kItemMembers[] = {
    {"kind", kItems, kind},
    {"name", kItems, text<&Item::name>},
    {"description", kItems, text<&Item::description>},
    {"timeout_ms", kItems, time<&Item::timeout, 1, kMaxTimeoutMs>},
    {"flags", kItems, flags},
    {"title", kPermitted, text<&Item::title>},
    {"permission", kPermitted, permission},
    {"gates", kTool, gates},
    {"order", kTitled, order},
    {"icons", kTitled, json<&Item::icons, Kind::array>},
    {"_meta", kTitled, json<&Item::meta, Kind::object>},
    {"category", kSchemas, category},
    {"inputSchema", kSchemas, json<&Item::input_schema, Kind::object>},
    {"outputSchema", kSchemas, json<&Item::output_schema, Kind::object>},
    {"annotations", KindSet{kSchemas | kRead}, json<&Item::annotations, Kind::object>},
    {"arguments", kPrompt, arguments},
    {"uri", kResource, uri},
    {"size", kResource, size},
    {"uriTemplate", kTemplate, uri},
    {"lists", kTemplate, flag<&Item::lists>},
    {"mimeType", kRead, mime_type},
    {"subscribe", kRead, flag<&Item::subscribe>},
    {"scoped", kRead, flag<&Item::scoped>},
    {"ttlMs", kRead, time<&Item::ttl, 0, kMaxTtlMs>},
    {"cacheScope", kRead, cache_scope},
    {"class", kMethod, text<&Item::class_name>},
    {"type", kMethod, method_type},
    {"parameters", kMethod, json<&Item::input_schema, Kind::object>},
    {"permitted_keys", kMethod, permitted_keys},
    {"supports_dry_run", kMethod, flag<&Item::supports_dry_run>},
};

}  // namespace

Status take_item_member(const std::string& place, const std::string& name, const RawJson& value,
                        Item& item, std::vector<std::string>& warnings) {
  const std::string at = place + "." + name;
  for (const ItemMember& known : kItemMembers) {
    if (name != known.name) continue;
    if (name == "kind" || is_kind(item.kind, known.kinds)) return known.take(at, value, item);
    return Status::invalid(at + " makes no sense for the kind \"" + item.kind + "\"; it is for " +
                           quoted_list(known.kinds));
  }
  warnings.push_back(at + " is unknown to this host and ignored");
  return Status::ok();
}

}  // namespace gantry::contract
