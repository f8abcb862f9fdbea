#include "sdk/contract/manifest.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <gantry/abi/version.h>
#include <gantry/schema/validator.hpp>

#include "sdk/contract/fields.hpp"
#include "sdk/contract/item_kinds.hpp"
#include "sdk/contract/items.hpp"
#include "sdk/contract/names.hpp"
#include "sdk/contract/raw_json.hpp"

namespace gantry::contract {
namespace {

using Kind = RawJson::Kind;

constexpr std::int64_t kMaxStateVersion = 1'000'000'000;

// Services are declared before any code runs, so that unmet needs are refused before loading.
Status check_services(const std::vector<Item>& items, const std::vector<std::string>& offers) {
  for (const Item& item : items) {
    if (item.kind != "service") continue;
    if (std::find(offers.begin(), offers.end(), item.name) == offers.end()) {
      return Status::invalid("the item \"" + item.name +
                             "\" is a service that the manifest's offers does not name; add it "
                             "there");
    }
  }
  return Status::ok();
}

class ManifestReader {
 public:
  Result<Manifest> read(const RawJson& root) {
    if (!root.is(Kind::object)) return wrong_field("the manifest", "an object", root);
    // First: another ABI's manifest may differ in everything else.
    if (const auto value = root.find("abi")) {
      if (Status status = abi("abi", *value); !status) return status;
    }
    for (const auto& [name, value] : root.members()) {
      if (Status status = member(name, value); !status) return status;
    }
    if (Status status = check_required(); !status) return status;
    if (Status status = read_item_list(); !status) return status;
    if (Status status = check_services(manifest_.items, manifest_.offers); !status) return status;
    return std::move(manifest_);
  }

 private:
  using Take = Status (ManifestReader::*)(const std::string&, const RawJson&);

  Status member(const std::string& name, const RawJson& value) {
    static constexpr std::array<std::pair<std::string_view, Take>, 15> kMembers{{
        {"name", &ManifestReader::name},
        {"version", &ManifestReader::version},
        {"abi", &ManifestReader::abi},
        {"needs", &ManifestReader::services<&Manifest::needs>},
        {"wants", &ManifestReader::services<&Manifest::wants>},
        {"offers", &ManifestReader::services<&Manifest::offers>},
        {"flags", &ManifestReader::flags},
        {"isolate", &ManifestReader::isolate},
        {"config", &ManifestReader::config},
        {"items", &ManifestReader::items},
        {"schemas", &ManifestReader::schemas},
        {"self_check", &ManifestReader::self_check},
        {"state_version", &ManifestReader::state_version},
        {"$schema", &ManifestReader::ignore},
        {"description", &ManifestReader::ignore},
    }};
    for (const auto& [known, take] : kMembers) {
      if (name == known) return (this->*take)(name, value);
    }
    manifest_.warnings.push_back(name + " is unknown to this host and ignored");
    return Status::ok();
  }

  Status ignore(const std::string&, const RawJson&) { return Status::ok(); }

  Status name(const std::string& place, const RawJson& value) {
    if (Status status = take_string(place, value, manifest_.name); !status) return status;
    if (is_plugin_name(manifest_.name)) return Status::ok();
    return wrong_field(place, "1 to 64 lower-case letters, digits, '_' and '-'", value);
  }
  Status version(const std::string& place, const RawJson& value) {
    if (Status status = take_string(place, value, manifest_.version); !status) return status;
    const bool fits = !manifest_.version.empty() && manifest_.version.size() <= 64;
    return fits ? Status::ok() : wrong_field(place, "a version such as \"1.2.0\"", value);
  }
  // A number, or text such as "1" or "1.0": what counts is what stands before the dot.
  Status abi(const std::string& place, const RawJson& value) {
    has_abi_ = true;
    const std::string text = value.is(Kind::string) ? value.string() : std::string(value.text());
    const std::string major = text.substr(0, text.find('.'));
    const std::string ours = std::to_string(GANTRY_ABI_MAJOR);
    if (major == ours) return Status::ok();
    if (major.empty() || major.find_first_not_of("0123456789") != major.npos) {
      return wrong_field(place, ours, value);
    }
    return {GANTRY_UNSUPPORTED, "the plugin is built for ABI " + major + ", this host speaks " +
                                    ours + "; rebuild it with a GantrySDK " + ours + ".x"};
  }
  template <std::vector<std::string> Manifest::*member>
  Status services(const std::string& place, const RawJson& value) {
    std::vector<std::string>& out = manifest_.*member;
    if (Status status = take_strings(place, value, out); !status) return status;
    std::set<std::string> seen;
    for (const std::string& id : out) {
      if (!is_service_id(id)) {
        return Status::invalid(place +
                               " must hold services with their revision such as "
                               "\"gantry.call/1\"; it holds \"" +
                               id + "\"");
      }
      if (!seen.insert(id).second) {
        return Status::invalid(place + " names \"" + id + "\" twice; keep one");
      }
    }
    return Status::ok();
  }
  Status flags(const std::string& place, const RawJson& value) {
    std::vector<std::string> words;
    if (Status status = take_strings(place, value, words); !status) return status;
    for (const std::string& word : words) {
      bool* flag = word == "reentrant"    ? &manifest_.reentrant
                   : word == "exclusive"  ? &manifest_.exclusive
                   : word == "unloadable" ? &manifest_.unloadable
                                          : nullptr;
      if (!flag) {
        return wrong_field(place, "an array of \"reentrant\", \"exclusive\" or \"unloadable\"",
                           value);
      }
      *flag = true;
    }
    return Status::ok();
  }
  Status isolate(const std::string& place, const RawJson& value) {
    std::string word;
    if (Status status = take_string(place, value, word); !status) return status;
    const auto found = std::find_if(kIsolateWords.begin(), kIsolateWords.end(),
                                    [&](const auto& known) { return known.first == word; });
    if (found == kIsolateWords.end()) {
      return wrong_field(place, "\"auto\", \"in-process\" or \"process\"", value);
    }
    manifest_.isolate = found->second;
    return Status::ok();
  }
  Status config(const std::string& place, const RawJson& value) {
    if (Status status = take_text(place, value, Kind::object, manifest_.config_schema); !status) {
      return status;
    }
    const auto validator = schema::Validator::compile(manifest_.config_schema);
    return validator ? Status::ok() : Status::invalid(place + ": " + validator.message());
  }
  Status items(const std::string& place, const RawJson& value) {
    if (value.is(Kind::string) && value.string() == "probe") {
      manifest_.items_at_start = true;
      return Status::ok();
    }
    if (!value.is(Kind::array)) return wrong_field(place, "an array or \"probe\"", value);
    items_ = value;
    return Status::ok();
  }
  Status schemas(const std::string& place, const RawJson& value) {
    if (!value.is(Kind::object)) return wrong_field(place, "an object", value);
    schemas_ = value;
    manifest_.schemas = value.text();
    return Status::ok();
  }
  Status self_check(const std::string& place, const RawJson& value) {
    return take_bool(place, value, manifest_.has_self_check);
  }
  Status state_version(const std::string& place, const RawJson& value) {
    return take_int(place, value, 1, kMaxStateVersion, manifest_.state_version);
  }

  Status check_required() const {
    if (manifest_.name.empty()) return Status::invalid("name is missing");
    if (manifest_.version.empty()) {
      return Status::invalid("version is missing: a text such as \"1.2.0\"");
    }
    if (!has_abi_) {
      return Status::invalid("abi is missing: " + std::to_string(GANTRY_ABI_MAJOR));
    }
    if (!items_ && !manifest_.items_at_start) {
      return Status::invalid("items is missing: an array, or \"probe\" when start() offers them");
    }
    return Status::ok();
  }

  Status read_item_list() {
    if (!items_) return Status::ok();
    Result<std::vector<Item>> list = read_items(*items_, schemas_, manifest_.warnings);
    if (!list) return list.status();
    manifest_.items = std::move(list).value();
    return warn_of_spare_schemas();
  }

  // An unused schema is most likely a misspelt file name.
  Status warn_of_spare_schemas() {
    if (!schemas_) return Status::ok();
    for (const auto& [tool, pair] : schemas_->members()) {
      const bool used = std::any_of(
          manifest_.items.begin(), manifest_.items.end(),
          [&](const Item& item) { return item.name == tool && is_kind(item.kind, kSchemas); });
      if (!used) manifest_.warnings.push_back("schemas holds \"" + tool + "\", which is no item");
    }
    return Status::ok();
  }

  Manifest manifest_;
  bool has_abi_ = false;
  std::optional<RawJson> items_, schemas_;
};

Result<std::vector<Item>> parse_offer(std::string_view json, const Manifest& manifest) {
  const std::string subject = "the offer of " + manifest.name;
  const Result<RawJson> root = RawJson::parse(json);
  if (!root) return Status::invalid(subject + " " + root.message());
  std::optional<RawJson> schemas;
  if (!manifest.schemas.empty()) schemas = RawJson::parse(manifest.schemas).value();
  std::vector<std::string> ignored;
  Result<std::vector<Item>> items = read_items(*root, schemas, ignored);
  if (items) return items;
  return Status{items.status().code(), subject + " is refused: " + items.message()};
}

}  // namespace

Result<Manifest> parse_manifest(std::string_view json) {
  const Result<RawJson> root = RawJson::parse(json);
  if (!root) return Status::invalid("the manifest " + root.message());
  Result<Manifest> manifest = ManifestReader().read(*root);
  if (manifest) return manifest;
  if (manifest.status().code() == GANTRY_UNSUPPORTED) return manifest.status();
  return Status{manifest.status().code(), "the manifest is refused: " + manifest.message()};
}

Result<std::vector<Item>> parse_items(std::string_view json_array, std::string_view name) {
  Manifest bare;
  bare.name = name;
  return parse_offer(json_array, bare);
}

Result<std::vector<Item>> parse_items(std::string_view json_array, const Manifest& manifest) {
  Result<std::vector<Item>> items = parse_offer(json_array, manifest);
  if (!items) return items;
  if (Status status = check_services(*items, manifest.offers); !status) return status;
  return items;
}

}  // namespace gantry::contract
