#include "sdk/contract/item_reader.hpp"

#include <algorithm>
#include <utility>

#include "sdk/contract/fields.hpp"
#include "sdk/contract/names.hpp"
#include "sdk/contract/uris.hpp"

namespace gantry::contract {
namespace {

constexpr std::int64_t kMaxTimeoutMs = 3'600'000;
constexpr std::int64_t kMaxOrder = 1'000'000;
constexpr std::int64_t kMaxTtlMs = 31'536'000'000;        // a year
constexpr std::int64_t kMaxSize = 9'007'199'254'740'991;  // what every client can read
constexpr std::size_t kMaxArguments = 64;
constexpr std::size_t kMaxResourceName = 256;
using Kind = RawJson::Kind;

}  // namespace

ItemReader::ItemReader(std::string place, std::vector<std::string>& warnings)
    : place_(std::move(place)), warnings_(warnings) {}

Result<Item> ItemReader::read(const RawJson& item, const std::optional<RawJson>& schemas) {
  if (!item.is(Kind::object)) return wrong_field(place_, "an object", item);
  if (Status status = take_kind(item); !status) return status;
  for (const auto& [name, value] : item.members()) {
    if (Status status = member(name, value); !status) return status;
  }
  if (Status status = check_whole(); !status) return status;
  if (schemas) {
    if (Status status = take_schemas(*schemas); !status) return status;
  }
  if (Status status = check_schemas(); !status) return status;
  return std::move(item_);
}

// First: it decides what else may be there.
Status ItemReader::take_kind(const RawJson& item) {
  if (const auto value = item.find("kind")) return kind(place_ + ".kind", *value);
  return Status::invalid(place_ + ".kind is missing: " + quoted_list(kItems));
}

template <std::string Item::*member>
Status ItemReader::text(const std::string& place, const RawJson& value) {
  return take_string(place, value, item_.*member);
}
template <std::string Item::*member, RawJson::Kind kind>
Status ItemReader::json(const std::string& place, const RawJson& value) {
  return take_text(place, value, kind, item_.*member);
}
template <bool Item::*member>
Status ItemReader::flag(const std::string& place, const RawJson& value) {
  return take_bool(place, value, item_.*member);
}
template <std::chrono::milliseconds Item::*member, std::int64_t low, std::int64_t high>
Status ItemReader::time(const std::string& place, const RawJson& value) {
  std::int64_t milliseconds = 0;
  Status status = take_int(place, value, low, high, milliseconds);
  item_.*member = std::chrono::milliseconds(milliseconds);
  return status;
}

// The one list of what an item may hold: the kinds that have the member, and its reading.
struct ItemReader::Member {
  std::string_view name;
  KindSet kinds;
  Take take;
};

constexpr ItemReader::Member ItemReader::kMembers[] = {
    {"kind", kItems, &ItemReader::kind},
    {"name", kItems, &ItemReader::text<&Item::name>},
    {"description", kItems, &ItemReader::text<&Item::description>},
    {"timeout_ms", kItems, &ItemReader::time<&Item::timeout, 1, kMaxTimeoutMs>},
    {"flags", kItems, &ItemReader::flags},
    {"title", kTitled, &ItemReader::text<&Item::title>},
    {"permission", kTitled, &ItemReader::permission},
    {"order", kTitled, &ItemReader::order},
    {"icons", kTitled, &ItemReader::json<&Item::icons, Kind::array>},
    {"_meta", kTitled, &ItemReader::json<&Item::meta, Kind::object>},
    {"category", kSchemas, &ItemReader::category},
    {"inputSchema", kSchemas, &ItemReader::json<&Item::input_schema, Kind::object>},
    {"outputSchema", kSchemas, &ItemReader::json<&Item::output_schema, Kind::object>},
    {"annotations", KindSet{kSchemas | kRead}, &ItemReader::json<&Item::annotations, Kind::object>},
    {"arguments", kPrompt, &ItemReader::arguments},
    {"uri", kResource, &ItemReader::uri},
    {"size", kResource, &ItemReader::size},
    {"uriTemplate", kTemplate, &ItemReader::uri},
    {"lists", kTemplate, &ItemReader::flag<&Item::lists>},
    {"mimeType", kRead, &ItemReader::mime_type},
    {"subscribe", kRead, &ItemReader::flag<&Item::subscribe>},
    {"ttlMs", kRead, &ItemReader::time<&Item::ttl, 0, kMaxTtlMs>},
    {"cacheScope", kRead, &ItemReader::cache_scope},
};

Status ItemReader::member(const std::string& name, const RawJson& value) {
  const std::string place = place_ + "." + name;
  for (const Member& known : kMembers) {
    if (name != known.name) continue;
    if (is_kind(item_.kind, known.kinds)) return (this->*known.take)(place, value);
    return Status::invalid(place + " makes no sense for the kind \"" + item_.kind +
                           "\"; it is for " + quoted_list(known.kinds));
  }
  warnings_.push_back(place + " is unknown to this host and ignored");
  return Status::ok();
}

Status ItemReader::kind(const std::string& place, const RawJson& value) {
  if (Status status = take_string(place, value, item_.kind); !status) return status;
  return is_kind(item_.kind, kItems) ? Status::ok()
                                     : wrong_field(place, quoted_list(kItems), value);
}
Status ItemReader::category(const std::string& place, const RawJson& value) {
  if (Status status = take_string(place, value, item_.category); !status) return status;
  return item_.category.empty() ? wrong_field(place, "a word such as \"search\"", value)
                                : Status::ok();
}
Status ItemReader::permission(const std::string& place, const RawJson& value) {
  std::string word;
  if (Status status = take_string(place, value, word); !status) return status;
  const auto tier = tier_from(word);
  if (!tier) return wrong_field(place, "\"readonly\", \"write\" or \"admin\"", value);
  item_.tier = *tier;
  return Status::ok();
}
Status ItemReader::flags(const std::string& place, const RawJson& value) {
  std::vector<std::string> words;
  if (Status status = take_strings(place, value, words); !status) return status;
  for (const std::string& word : words) {
    if (word == "blocking") {
      item_.blocking = true;
    } else if (word == "non_blocking") {
      item_.non_blocking = true;
    } else {
      return wrong_field(place, "an array of \"blocking\" or \"non_blocking\"", value);
    }
  }
  return Status::ok();
}
Status ItemReader::order(const std::string& place, const RawJson& value) {
  std::int64_t number = 0;
  if (Status status = take_int(place, value, 0, kMaxOrder, number); !status) return status;
  item_.order = static_cast<int>(number);
  return Status::ok();
}

Status ItemReader::arguments(const std::string& place, const RawJson& value) {
  if (!value.is(Kind::array)) return wrong_field(place, "an array of objects", value);
  const std::vector<RawJson> elements = value.elements();
  if (elements.size() > kMaxArguments) {
    return Status::invalid(place + " has " + std::to_string(elements.size()) +
                           " entries; at most 64 are allowed");
  }
  for (std::size_t i = 0; i < elements.size(); ++i) {
    Status status = argument(place + "[" + std::to_string(i) + "]", elements[i]);
    if (!status) return status;
  }
  return Status::ok();
}
Status ItemReader::argument(const std::string& place, const RawJson& value) {
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
  for (const PromptArgument& other : item_.arguments) {
    if (other.name != made.name) continue;
    return Status::invalid(place + ".name: the argument \"" + made.name +
                           "\" is there twice; keep one");
  }
  item_.arguments.push_back(std::move(made));
  return Status::ok();
}

Status ItemReader::uri(const std::string& place, const RawJson& value) {
  if (Status status = take_string(place, value, item_.uri); !status) return status;
  return item_.kind == "resource" ? check_uri(place, item_.uri)
                                  : check_uri_template(place, item_.uri);
}
Status ItemReader::mime_type(const std::string& place, const RawJson& value) {
  if (Status status = take_string(place, value, item_.mime_type); !status) return status;
  const std::size_t slash = item_.mime_type.find('/');
  const bool good = slash != std::string::npos && slash > 0 && slash + 1 < item_.mime_type.size() &&
                    std::all_of(item_.mime_type.begin(), item_.mime_type.end(),
                                [](char c) { return c >= ' ' && c <= '~'; });
  return good ? Status::ok() : wrong_field(place, "a media type such as \"text/plain\"", value);
}
Status ItemReader::size(const std::string& place, const RawJson& value) {
  std::int64_t bytes = 0;
  if (Status status = take_int(place, value, 0, kMaxSize, bytes); !status) return status;
  item_.bytes = static_cast<std::uint64_t>(bytes);
  return Status::ok();
}
Status ItemReader::cache_scope(const std::string& place, const RawJson& value) {
  std::string word;
  if (Status status = take_string(place, value, word); !status) return status;
  item_.is_public = word == "public";
  const bool known = item_.is_public || word == "private";
  return known ? Status::ok() : wrong_field(place, "\"public\" or \"private\"", value);
}

Status ItemReader::check_whole() const {
  if (Status status = check_name(); !status) return status;
  if (item_.kind == "resource" && item_.uri.empty()) {
    return Status::invalid(place_ + ".uri is missing: a URI such as \"app://config/main\"");
  }
  if (item_.kind == "resource_template" && item_.uri.empty()) {
    return Status::invalid(place_ + ".uriTemplate is missing: such as \"app://log/{day}\"");
  }
  if (item_.blocking && item_.non_blocking) {
    return Status::invalid(place_ + ".flags cannot hold both \"blocking\" and \"non_blocking\"");
  }
  return Status::ok();
}

Status ItemReader::check_name() const {
  const auto wrong = [this](const std::string& wanted) {
    return Status::invalid(place_ + ".name must be " + wanted + "; it is \"" + item_.name + "\"");
  };
  if (item_.kind == "service") {
    return is_service_id(item_.name)
               ? Status::ok()
               : wrong("a service with its revision such as \"acme.words/1\"");
  }
  if (is_kind(item_.kind, kRead)) {
    const bool good = !item_.name.empty() && item_.name.size() <= kMaxResourceName;
    return good ? Status::ok() : wrong("1 to 256 bytes");
  }
  if (item_.kind == "completion") {
    const std::string wanted = "the prompt or the URI template whose arguments it completes";
    return item_.name.empty() ? wrong(wanted) : Status::ok();
  }
  return is_tool_name(item_.name) ? Status::ok() : wrong("1 to 64 of A-Z a-z 0-9 _ . -");
}

}  // namespace gantry::contract
