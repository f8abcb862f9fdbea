#include "host/loader/items.hpp"

#include <array>
#include <set>
#include <utility>

#include <rapidjson/document.h>

#include "host/loader/fields.hpp"
#include "host/loader/header_annotations.hpp"
#include "host/loader/names.hpp"

namespace gantry::host {
namespace {

constexpr std::size_t kMaxItems = 1024;
constexpr std::int64_t kMaxTimeoutMs = 3'600'000;
constexpr std::int64_t kMaxOrder = 1'000'000;
using Kind = RawJson::Kind;

class ItemReader {
 public:
  ItemReader(std::string place, std::vector<std::string>& warnings)
      : place_(std::move(place)), warnings_(warnings) {}

  Result<ItemSpec> read(const RawJson& item, const std::optional<RawJson>& schemas) {
    if (!item.is(Kind::object)) return wrong_field(place_, "an object", item);
    for (const auto& [name, value] : item.members()) {
      if (Status status = member(name, value); !status) return status;
    }
    if (Status status = check_name(); !status) return status;
    if (schemas) {
      if (Status status = take_schemas(*schemas); !status) return status;
    }
    if (spec_.blocking && spec_.non_blocking) {
      return Status::invalid(place_ + ".flags cannot hold both \"blocking\" and \"non_blocking\"");
    }
    if (Status status = check_schemas(); !status) return status;
    return std::move(spec_);
  }

 private:
  using Take = Status (ItemReader::*)(const std::string&, const RawJson&);

  Status member(const std::string& name, const RawJson& value) {
    static constexpr std::array<std::pair<std::string_view, Take>, 14> kMembers{{
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
    }};
    for (const auto& [known, take] : kMembers) {
      if (name == known) return (this->*take)(place_ + "." + name, value);
    }
    warnings_.push_back(place_ + "." + name + " is unknown to this host and ignored");
    return Status::ok();
  }

  Status kind(const std::string& place, const RawJson& value) {
    if (Status status = take_string(place, value, spec_.kind); !status) return status;
    if (spec_.kind == "tool" || spec_.kind == "service") return Status::ok();
    return wrong_field(place, "\"tool\" or \"service\"", value);
  }
  Status name(const std::string& place, const RawJson& value) {
    return take_string(place, value, spec_.name);
  }
  Status title(const std::string& place, const RawJson& value) {
    return take_string(place, value, spec_.title);
  }
  Status description(const std::string& place, const RawJson& value) {
    return take_string(place, value, spec_.description);
  }
  Status category(const std::string& place, const RawJson& value) {
    if (Status status = take_string(place, value, spec_.category); !status) return status;
    return spec_.category.empty() ? wrong_field(place, "a word such as \"search\"", value)
                                  : Status::ok();
  }
  Status permission(const std::string& place, const RawJson& value) {
    std::string word;
    if (Status status = take_string(place, value, word); !status) return status;
    const auto tier = tier_from(word);
    if (!tier) return wrong_field(place, "\"readonly\", \"write\" or \"admin\"", value);
    spec_.tier = *tier;
    return Status::ok();
  }
  Status timeout(const std::string& place, const RawJson& value) {
    std::int64_t milliseconds = 0;
    Status status = take_int(place, value, 1, kMaxTimeoutMs, milliseconds);
    spec_.timeout = std::chrono::milliseconds(milliseconds);
    return status;
  }
  Status flags(const std::string& place, const RawJson& value) {
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
  Status order(const std::string& place, const RawJson& value) {
    std::int64_t number = 0;
    if (Status status = take_int(place, value, 0, kMaxOrder, number); !status) return status;
    spec_.order = static_cast<int>(number);
    return Status::ok();
  }
  Status input_schema(const std::string& place, const RawJson& value) {
    return take_text(place, value, Kind::object, spec_.input_schema);
  }
  Status output_schema(const std::string& place, const RawJson& value) {
    return take_text(place, value, Kind::object, spec_.output_schema);
  }
  Status annotations(const std::string& place, const RawJson& value) {
    return take_text(place, value, Kind::object, spec_.annotations);
  }
  Status icons(const std::string& place, const RawJson& value) {
    return take_text(place, value, Kind::array, spec_.icons);
  }
  Status meta(const std::string& place, const RawJson& value) {
    return take_text(place, value, Kind::object, spec_.meta);
  }

  Status check_name() {
    if (spec_.kind.empty())
      return Status::invalid(place_ + ".kind is missing: \"tool\" or \"service\"");
    if (spec_.kind == "service") {
      return is_service_id(spec_.name)
                 ? Status::ok()
                 : Status::invalid(place_ +
                                   ".name must be a service with its revision such as "
                                   "\"acme.words/1\"; it is \"" +
                                   spec_.name + "\"");
    }
    return is_tool_name(spec_.name)
               ? Status::ok()
               : Status::invalid(place_ + ".name must be 1 to 64 of A-Z a-z 0-9 _ . -; it is \"" +
                                 spec_.name + "\"");
  }

  // From the manifest's "schemas"; what stands in the item itself wins.
  Status take_schemas(const RawJson& schemas) {
    const auto pair = schemas.find(spec_.name);
    if (!pair) return Status::ok();
    const std::string place = "schemas[\"" + spec_.name + "\"]";
    if (!pair->is(Kind::object)) return wrong_field(place, "an object", *pair);
    for (const auto& [side, text] : pair->members()) {
      std::string* target = side == "input"    ? &spec_.input_schema
                            : side == "output" ? &spec_.output_schema
                                               : nullptr;
      if (!target) return Status::invalid(place + " holds \"input\" and \"output\" only");
      if (!target->empty()) continue;
      if (Status status = take_text(place + "." + side, text, Kind::object, *target); !status) {
        return status;
      }
    }
    return Status::ok();
  }

  Status check_schemas() {
    if (spec_.kind == "tool") {
      if (Status status = check_input(); !status) return status;
    }
    if (Status status = compile("inputSchema", spec_.input_schema, spec_.compiled.input); !status) {
      return status;
    }
    return compile("outputSchema", spec_.output_schema, spec_.compiled.output);
  }

  Status check_input() {
    const std::string place = place_ + ".inputSchema";
    if (spec_.input_schema.empty()) {
      return Status::invalid(place +
                             " is missing; a tool without arguments has {\"type\":\"object\"}");
    }
    rapidjson::Document schema;
    schema.Parse(spec_.input_schema.data(), spec_.input_schema.size());
    const auto type = schema.FindMember("type");
    if (type == schema.MemberEnd() || type->value != "object") {
      return Status::invalid(place + " must have \"type\": \"object\" at its root");
    }
    if (Status status = check_header_annotations(schema); !status) {
      return Status::invalid(place + ": " + status.message());
    }
    return Status::ok();
  }

  Status compile(const char* which, const std::string& text,
                 std::optional<schema::Validator>& out) {
    if (text.empty()) return Status::ok();
    Result<schema::Validator> validator = schema::Validator::compile(text);
    if (!validator) {
      return Status::invalid(place_ + "." + which + ": " + validator.message());
    }
    out = std::move(validator).value();
    return Status::ok();
  }

  std::string place_;
  std::vector<std::string>& warnings_;
  ItemSpec spec_;
};

// "items[2]", with the name when there is one: people look for the name.
std::string place_of(std::size_t index, const RawJson& item) {
  std::string place = "items[" + std::to_string(index) + "]";
  if (!item.is(Kind::object)) return place;
  const auto name = item.find("name");
  if (name && name->is(Kind::string)) place += " (" + std::string(name->text()) + ")";
  return place;
}

}  // namespace

Result<std::vector<ItemSpec>> read_items(const RawJson& items,
                                         const std::optional<RawJson>& schemas,
                                         std::vector<std::string>& warnings) {
  if (!items.is(Kind::array)) return wrong_field("items", "an array", items);
  const std::vector<RawJson> elements = items.elements();
  if (elements.size() > kMaxItems) {
    return Status{GANTRY_TOO_BIG, "items has " + std::to_string(elements.size()) +
                                      " entries; at most 1024 are allowed"};
  }
  std::vector<ItemSpec> specs;
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const std::string place = place_of(i, elements[i]);
    Result<ItemSpec> spec = ItemReader(place, warnings).read(elements[i], schemas);
    if (!spec) return spec.status();
    if (!seen.emplace(spec->kind, spec->name).second) {
      return Status::invalid(place + ": the " + spec->kind + " \"" + spec->name +
                             "\" is there twice; keep one");
    }
    specs.push_back(std::move(spec).value());
  }
  return specs;
}

}  // namespace gantry::host
