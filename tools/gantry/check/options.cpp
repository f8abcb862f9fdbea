#include "tools/gantry/check/options.hpp"

#include <map>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "host/trust/small_file.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/number.hpp"

namespace gantry::cli {
namespace {

constexpr std::size_t kMaxConfig = 4U << 20U;

// NAME=VALUE pairs into a map.
Status take_pairs(const char* option, const std::vector<std::string>& pairs,
                  std::map<std::string, std::string, std::less<>>& into) {
  for (const std::string& pair : pairs) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Status::invalid(std::string(option) + " is NAME=VALUE, not '" + pair + "'");
    }
    into[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  return {};
}

Status check_object(const std::string& what, const std::string& json) {
  if (parsed(json).IsObject()) return {};
  return Status::invalid(what + " is no JSON object: " + json.substr(0, 80));
}

}  // namespace

std::vector<std::string> SurroundingOptions::words() const {
  std::vector<std::string> out{"--timeout", std::to_string(seconds)};
  if (!config.empty()) out.insert(out.end(), {"--config", config});
  for (const std::string& secret : secrets) out.insert(out.end(), {"--secret", secret});
  for (const std::string& one : arguments) out.insert(out.end(), {"--arguments", one});
  return out;
}

void declare_surroundings(CLI::App& command, SurroundingOptions& options) {
  command.add_option("--config", options.config, "The plugin's configuration: JSON, or @FILE");
  command.add_option("--secret", options.secrets, "A secret it may read: NAME=VALUE")
      ->allow_extra_args(false);
  command.add_option("--arguments", options.arguments, "Arguments for a tool: TOOL=JSON")
      ->allow_extra_args(false);
  command.add_option("--timeout", options.seconds, "Seconds for one check, up to 3600 [20]")
      ->type_name("N")
      ->check(whole_number(1, 3600));
}

Result<Surroundings> read_surroundings(const SurroundingOptions& options) {
  Surroundings out;
  out.seconds = options.seconds;
  if (options.config.starts_with('@')) {
    Result<std::string> text = host::trust::read_small_file(options.config.substr(1), kMaxConfig);
    if (!text) return text.status();
    out.config = std::move(*text);
  } else if (!options.config.empty()) {
    out.config = options.config;
  }
  if (Status s = check_object("--config", out.config); !s) return s;
  if (Status s = take_pairs("--secret", options.secrets, out.secrets); !s) return s;
  if (Status s = take_pairs("--arguments", options.arguments, out.arguments); !s) return s;
  for (const auto& [tool, json] : out.arguments) {
    if (Status s = check_object("--arguments " + tool, json); !s) return s;
  }
  return out;
}

}  // namespace gantry::cli
