// host/loader/manifest.hpp: what a plugin's note says, checked and copied.
//
// Parsed from the note's JSON before any code of the plugin runs; also the form of a run-time
// offer. Values; any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>
#include <gantry/schema/validator.hpp>

#include "host/base/tier.hpp"

namespace gantry::host {

// The schemas of an item, compiled; follows from the texts, so it takes no part in comparisons.
struct CompiledSchemas {
  std::optional<schema::Validator> input, output;
  bool operator==(const CompiledSchemas&) const { return true; }
};

struct ItemSpec {
  std::string kind;  // "tool" or "service"
  std::string name;
  std::string title, description;
  std::string category = "custom";
  Tier tier = Tier::readonly;
  std::chrono::milliseconds timeout{30000};
  bool non_blocking = false, blocking = false;
  std::string input_schema;   // the author's text, verbatim; tools always have one
  std::string output_schema;  // verbatim or empty
  std::string annotations;    // JSON object text or empty
  std::string icons;          // JSON array text or empty
  std::string meta;           // JSON object text or empty
  std::optional<int> order;   // place in listings: those with a number come first, ascending
  CompiledSchemas compiled;   // filled by parse_manifest and parse_items

  bool operator==(const ItemSpec&) const = default;
};

enum class Isolate { automatic, in_process, process };

struct Manifest {
  std::string name, version;
  std::vector<std::string> needs;   // host services and other plugins' services, "gantry.data/1"
  std::vector<std::string> offers;  // services this plugin may offer
  bool reentrant = false, exclusive = false, unloadable = false;
  Isolate isolate = Isolate::automatic;
  std::string config_schema;    // JSON text or empty
  bool items_at_start = false;  // "items":"probe": known after start(), by offer()
  std::vector<ItemSpec> items;
  std::string schemas;  // the "schemas" object or empty: run-time offers may lean on it too
  bool has_self_check = false;
  std::vector<std::string> warnings;  // what this host ignores, one clause each
};

// The manifest in a note's body. Every error says which member is wrong and what is allowed.
// Schemas are compiled and kept verbatim; each tool has an input schema of type object.
Result<Manifest> parse_manifest(std::string_view json);

// A run-time offer: the array of items alone, schemas inline; `name` is the plugin's, for
// messages. At most 1,024 items.
Result<std::vector<ItemSpec>> parse_items(std::string_view json_array, std::string_view name);

// The same for a loaded plugin: schemas may also stand in its manifest, and services must be among
// its offers.
Result<std::vector<ItemSpec>> parse_items(std::string_view json_array, const Manifest& manifest);

}  // namespace gantry::host
