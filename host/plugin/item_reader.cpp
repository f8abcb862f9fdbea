#include "host/plugin/item_reader.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "host/plugin/fields.hpp"
#include "host/plugin/names.hpp"
#include "sdk/contract/item_kinds.hpp"
#include "sdk/contract/uris.hpp"

namespace gantry::host {
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

Result<ItemSpec> ItemReader::read(const RawJson& item, const std::optional<RawJson>& schemas) {
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
  return std::move(spec_);
}

// First: it decides what else may be there.
Status ItemReader::take_kind(const RawJson& item) {
  if (const auto value = item.find("kind")) return kind(place_ + ".kind", *value);
  return Status::invalid(place_ + ".kind is missing: " + contract::kind_list());
}

struct ItemReader::Member {
  std::string_view name;
  Take take;
};

Status ItemReader::member(const std::string& name, const RawJson& value) {
  static constexpr std::array<Member, 23> kMembers{{
      {"kind", &ItemReader::kind},
      {"name", &ItemReader::name},
      {"title", &ItemReader::title},
      {"description", &ItemReader::description},
      {"category", &ItemReader::category},
      {"permission", &ItemReader::permission},
      {"timeout_ms", &ItemReader::timeout},
      {"flags", &ItemReader::flags},
      {"order", &ItemReader::order},
      {"inputSchema", &ItemReader::input_schema},
      {"outputSchema", &ItemReader::output_schema},
      {"annotations", &ItemReader::annotations},
      {"icons", &ItemReader::icons},
      {"_meta", &ItemReader::meta},
      {"arguments", &ItemReader::arguments},
      {"uri", &ItemReader::uri},
      {"uriTemplate", &ItemReader::uri_template},
      {"mimeType", &ItemReader::mime_type},
      {"size", &ItemReader::size},
      {"subscribe", &ItemReader::subscribe},
      {"lists", &ItemReader::lists},
      {"ttlMs", &ItemReader::ttl},
      {"cacheScope", &ItemReader::cache_scope},
  }};
  const std::string place = place_ + "." + name;
  for (const Member& known : kMembers) {
    if (name != known.name) continue;
    if (Status status = contract::check_member(spec_.kind, name, place); !status) return status;
    return (this->*known.take)(place, value);
  }
  warnings_.push_back(place + " is unknown to this host and ignored");
  return Status::ok();
}

Status ItemReader::kind(const std::string& place, const RawJson& value) {
  if (Status status = take_string(place, value, spec_.kind); !status) return status;
  return contract::is_item_kind(spec_.kind) ? Status::ok()
                                            : wrong_field(place, contract::kind_list(), value);
}
Status ItemReader::name(const std::string& place, const RawJson& value) {
  return take_string(place, value, spec_.name);
}
Status ItemReader::title(const std::string& place, const RawJson& value) {
  return take_string(place, value, spec_.title);
}
Status ItemReader::description(const std::string& place, const RawJson& value) {
  return take_string(place, value, spec_.description);
}
Status ItemReader::category(const std::string& place, const RawJson& value) {
  if (Status status = take_string(place, value, spec_.category); !status) return status;
  return spec_.category.empty() ? wrong_field(place, "a word such as \"search\"", value)
                                : Status::ok();
}
Status ItemReader::permission(const std::string& place, const RawJson& value) {
  std::string word;
  if (Status status = take_string(place, value, word); !status) return status;
  const auto tier = tier_from(word);
  if (!tier) return wrong_field(place, "\"readonly\", \"write\" or \"admin\"", value);
  spec_.tier = *tier;
  return Status::ok();
}
Status ItemReader::timeout(const std::string& place, const RawJson& value) {
  std::int64_t milliseconds = 0;
  Status status = take_int(place, value, 1, kMaxTimeoutMs, milliseconds);
  spec_.timeout = std::chrono::milliseconds(milliseconds);
  return status;
}
Status ItemReader::flags(const std::string& place, const RawJson& value) {
  std::vector<std::string> words;
  if (Status status = take_strings(place, value, words); !status) return status;
  for (const std::string& word : words) {
    if (word == "blocking") {
      spec_.blocking = true;
    } else if (word == "non_blocking") {
      spec_.non_blocking = true;
    } else {
      return wrong_field(place, "an array of \"blocking\" or \"non_blocking\"", value);
    }
  }
  return Status::ok();
}
Status ItemReader::order(const std::string& place, const RawJson& value) {
  std::int64_t number = 0;
  if (Status status = take_int(place, value, 0, kMaxOrder, number); !status) return status;
  spec_.order = static_cast<int>(number);
  return Status::ok();
}
Status ItemReader::input_schema(const std::string& place, const RawJson& value) {
  return take_text(place, value, Kind::object, spec_.input_schema);
}
Status ItemReader::output_schema(const std::string& place, const RawJson& value) {
  return take_text(place, value, Kind::object, spec_.output_schema);
}
Status ItemReader::annotations(const std::string& place, const RawJson& value) {
  return take_text(place, value, Kind::object, spec_.annotations);
}
Status ItemReader::icons(const std::string& place, const RawJson& value) {
  return take_text(place, value, Kind::array, spec_.icons);
}
Status ItemReader::meta(const std::string& place, const RawJson& value) {
  return take_text(place, value, Kind::object, spec_.meta);
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
  for (const PromptArgument& other : spec_.arguments) {
    if (other.name != made.name) continue;
    return Status::invalid(place + ".name: the argument \"" + made.name +
                           "\" is there twice; keep one");
  }
  spec_.arguments.push_back(std::move(made));
  return Status::ok();
}

Status ItemReader::uri(const std::string& place, const RawJson& value) {
  if (Status status = take_string(place, value, spec_.uri); !status) return status;
  return contract::check_uri(place, spec_.uri);
}
Status ItemReader::uri_template(const std::string& place, const RawJson& value) {
  if (Status status = take_string(place, value, spec_.uri); !status) return status;
  return contract::check_uri_template(place, spec_.uri);
}
Status ItemReader::mime_type(const std::string& place, const RawJson& value) {
  if (Status status = take_string(place, value, spec_.mime_type); !status) return status;
  const std::size_t slash = spec_.mime_type.find('/');
  const bool good = slash != std::string::npos && slash > 0 && slash + 1 < spec_.mime_type.size() &&
                    std::all_of(spec_.mime_type.begin(), spec_.mime_type.end(),
                                [](char c) { return c >= ' ' && c <= '~'; });
  return good ? Status::ok() : wrong_field(place, "a media type such as \"text/plain\"", value);
}
Status ItemReader::size(const std::string& place, const RawJson& value) {
  std::int64_t bytes = 0;
  if (Status status = take_int(place, value, 0, kMaxSize, bytes); !status) return status;
  spec_.bytes = static_cast<std::uint64_t>(bytes);
  return Status::ok();
}
Status ItemReader::subscribe(const std::string& place, const RawJson& value) {
  return take_bool(place, value, spec_.subscribe);
}
Status ItemReader::lists(const std::string& place, const RawJson& value) {
  return take_bool(place, value, spec_.lists);
}
Status ItemReader::ttl(const std::string& place, const RawJson& value) {
  std::int64_t milliseconds = 0;
  Status status = take_int(place, value, 0, kMaxTtlMs, milliseconds);
  spec_.ttl = std::chrono::milliseconds(milliseconds);
  return status;
}
Status ItemReader::cache_scope(const std::string& place, const RawJson& value) {
  std::string word;
  if (Status status = take_string(place, value, word); !status) return status;
  spec_.is_public = word == "public";
  const bool known = spec_.is_public || word == "private";
  return known ? Status::ok() : wrong_field(place, "\"public\" or \"private\"", value);
}

Status ItemReader::check_whole() {
  if (Status status = check_name(); !status) return status;
  if (spec_.kind == "resource" && spec_.uri.empty()) {
    return Status::invalid(place_ + ".uri is missing: a URI such as \"app://config/main\"");
  }
  if (spec_.kind == "resource_template" && spec_.uri.empty()) {
    return Status::invalid(place_ + ".uriTemplate is missing: such as \"app://log/{day}\"");
  }
  if (spec_.blocking && spec_.non_blocking) {
    return Status::invalid(place_ + ".flags cannot hold both \"blocking\" and \"non_blocking\"");
  }
  return Status::ok();
}

Status ItemReader::check_name() const {
  const auto wrong = [this](const std::string& wanted) {
    return Status::invalid(place_ + ".name must be " + wanted + "; it is \"" + spec_.name + "\"");
  };
  if (spec_.kind == "service") {
    return is_service_id(spec_.name)
               ? Status::ok()
               : wrong("a service with its revision such as \"acme.words/1\"");
  }
  if (spec_.kind == "resource" || spec_.kind == "resource_template") {
    const bool good = !spec_.name.empty() && spec_.name.size() <= kMaxResourceName;
    return good ? Status::ok() : wrong("1 to 256 bytes");
  }
  if (spec_.kind == "completion") {
    const std::string wanted = "the prompt or the URI template whose arguments it completes";
    return spec_.name.empty() ? wrong(wanted) : Status::ok();
  }
  return is_tool_name(spec_.name) ? Status::ok() : wrong("1 to 64 of A-Z a-z 0-9 _ . -");
}

}  // namespace gantry::host
