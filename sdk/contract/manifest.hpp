// sdk/contract/manifest.hpp: what a plugin's note says, checked and copied.
//
// Parsed from the note's JSON before any code of the plugin runs; also the form of a run-time
// offer. Values; any thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "sdk/contract/gates.hpp"
#include "sdk/contract/words.hpp"

namespace gantry::schema {
class Validator;
}

namespace gantry::contract {

// The schemas of an item, compiled, or null; follows from the texts, so it takes no part in
// comparisons.
struct CompiledSchemas {
  std::shared_ptr<const schema::Validator> input, output;
  bool operator==(const CompiledSchemas&) const { return true; }
};

// An argument of a prompt.
struct PromptArgument {
  std::string name, title, description;
  bool required = false;
  bool operator==(const PromptArgument&) const = default;
};

// It has more than twelve members: those of every kind of item.
struct Item {
  // "tool", "service", "prompt", "resource", "resource_template", "completion" or "method".
  std::string kind;
  // What clients call it. A completion has the name of the prompt or URI template (of the same
  // plugin) whose arguments it completes.
  std::string name;
  std::string title, description;
  std::string category = "custom";
  Tier tier = Tier::readonly;
  GateSet gates = kNoGates;  // that must be open; of a method they follow from its tier
  std::chrono::milliseconds timeout{30000};
  bool non_blocking = false, blocking = false;
  // The author's text, verbatim; tools always have one. A method has its "parameters" here.
  std::string input_schema;
  std::string output_schema;  // verbatim or empty
  std::string annotations;    // JSON object text or empty: of tools, resources and templates
  std::string icons;          // JSON array text or empty
  std::string meta;           // JSON object text or empty
  std::optional<int> order;   // place in listings: those with a number come first, ascending
  std::vector<PromptArgument> arguments;  // of a prompt
  std::string uri;        // of a resource; of a template its URI template (RFC 6570, level 1)
  std::string mime_type;  // of a resource or template, or empty
  std::optional<std::uint64_t> bytes;  // of a resource: its size
  bool subscribe = false;              // of a resource or template: it reports changes (events.h)
  bool scoped = false;                 // what it holds depends on the reader's rights
  bool lists = false;                  // of a template: the plugin answers "resource_list" for it
  std::chrono::milliseconds ttl{0};    // of a resource or template: how long a client may keep it
  bool is_public = false;              // of a resource or template: the same bytes for every caller
  std::string class_name;              // of a method
  // The "Class.name" of a method; its `name` is the second part alone.
  std::string qualified_name;
  bool on_class = false;                                   // of a method: it has no object
  bool supports_dry_run = false;                           // of a method
  std::optional<std::vector<std::string>> permitted_keys;  // of a method
  CompiledSchemas compiled;  // filled by parse_manifest and parse_items

  // What identifies it among its kind: the URI of a resource or template, the qualified name of a
  // method, else the name.
  const std::string& key() const {
    if (!qualified_name.empty()) return qualified_name;
    return uri.empty() ? name : uri;
  }
  bool operator==(const Item&) const = default;
};

// It has more than twelve members: one for each member of the JSON.
struct Manifest {
  std::string name, version;
  std::vector<std::string> needs;   // host services and other plugins' services, "acme.stock/1"
  std::vector<std::string> wants;   // the same, but it does without where there is none
  std::vector<std::string> offers;  // services this plugin may offer
  bool reentrant = false, exclusive = false, unloadable = false;
  Isolate isolate = Isolate::automatic;
  std::string config_schema;    // JSON text or empty
  bool items_at_start = false;  // "items":"probe": known after start(), by offer()
  std::vector<Item> items;
  std::string schemas;  // the "schemas" object or empty: run-time offers may lean on it too
  bool has_self_check = false;
  std::int64_t state_version = 1;     // of what its handlers keep between rounds (input.h)
  std::vector<std::string> warnings;  // what this host ignores, one clause each

  // Everything it may use where it is there: needs and wants.
  std::vector<std::string> asked() const {
    std::vector<std::string> all = needs;
    all.insert(all.end(), wants.begin(), wants.end());
    return all;
  }
  bool asks_for(std::string_view id) const {
    return std::find(needs.begin(), needs.end(), id) != needs.end() ||
           std::find(wants.begin(), wants.end(), id) != wants.end();
  }
};

// The manifest in a note's body. Every error says which member is wrong and what is allowed.
// Schemas are compiled and kept verbatim; each tool has an input schema of type object.
Result<Manifest> parse_manifest(std::string_view json);

// A run-time offer: the array of items alone, schemas inline; `name` is the plugin's, for
// messages. At most 1,024 items.
Result<std::vector<Item>> parse_items(std::string_view json_array, std::string_view name);

// The same for a loaded plugin: schemas may also stand in its manifest, and services must be among
// its offers.
Result<std::vector<Item>> parse_items(std::string_view json_array, const Manifest& manifest);

}  // namespace gantry::contract
