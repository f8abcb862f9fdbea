// tools/gantry/console/catalog.hpp: what the server offers, asked once and kept.
//
// Main thread.
#pragma once

#include <string>
#include <vector>

#include <rapidjson/document.h>

#include <gantry/result.hpp>

namespace gantry::cli {
class Client;
}  // namespace gantry::cli

namespace gantry::cli::console {

class Catalog {
 public:
  // `client` must outlive it.
  explicit Catalog(const Client& client) : client_(&client) {}

  // Asks for the tools anew. The errors of Client::tools().
  Status load();

  // {"tools":[…]}; empty before load().
  const rapidjson::Document& tools() const { return tools_; }
  // {"prompts":[…]}, asked for the first time that they are needed; empty where there are none.
  const rapidjson::Document& prompts();
  // Those that this caller may see, asked for the first time that they are needed.
  const std::vector<std::string>& classes();

  // The input schema of a tool; an empty object: it has none.
  const rapidjson::Value& schema_of(const std::string& tool) const;
  // The schema of a prompt's arguments, which are texts.
  rapidjson::Document schema_of_prompt(const std::string& prompt);

 private:
  const Client* const client_;
  rapidjson::Document tools_, prompts_;
  std::vector<std::string> classes_;
  bool knows_prompts_ = false, knows_classes_ = false;
};

// The names of the objects in object[list].
std::vector<std::string> names_in(const rapidjson::Value& object, const char* list);

}  // namespace gantry::cli::console
