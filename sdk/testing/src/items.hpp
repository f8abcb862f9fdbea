// The items of a plugin as the fake host keeps them: from the manifest, or from offer().
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <rapidjson/document.h>

#include <gantry/result.hpp>
#include <gantry/schema/validator.hpp>

namespace gantry::testing::detail {

struct Item {
  std::string kind, name;
  std::string title, description, category, permission;
  std::string input_schema, output_schema;
  std::optional<schema::Validator> input, output;
  std::string uri;  // of a resource; of a template its URI template
  std::string mime_type;
  bool lists = false, subscribe = false;
  std::vector<std::pair<std::string, bool>> arguments;  // of a prompt: name, required

  // What it is told apart by among its kind.
  const std::string& key() const { return uri.empty() ? name : uri; }
};

struct Manifest {
  std::string name;
  std::vector<std::string> needs;  // and what it wants
  bool reentrant = false;
  bool items_at_start = false;
  std::vector<Item> items;
  std::string schemas;  // JSON or empty
};

// Enough of the manifest's grammar to run a plugin; what is wrong is a sentence.
Result<Manifest> parse_manifest(std::string_view json);
// An offer: the array alone; `schemas` is the manifest's, for tools without their own, or empty.
Result<std::vector<Item>> parse_offer(std::string_view json, std::string_view schemas);

std::string to_text(const rapidjson::Value& value);

}  // namespace gantry::testing::detail
