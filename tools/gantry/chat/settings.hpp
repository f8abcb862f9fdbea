// tools/gantry/chat/settings.hpp: the provider that the environment names.
//
// Main thread.
#pragma once

#include <string>

#include <gantry/result.hpp>

namespace gantry::cli::chat {

struct Settings {
  std::string provider;  // openai, anthropic or local
  std::string key;       // empty: none is sent
  std::string model;     // empty: the first that a local server lists
  std::string base_url;  // without a slash at its end

  bool is_local() const { return provider == "local"; }
};

// LLM_PROVIDER, LLM_API_KEY, LLM_MODEL and LLM_BASE_URL. The first line of `key_file`, when one is
// named, is the key instead. The error is a sentence that names the variable and what it needs.
Result<Settings> settings_from_environment(const std::string& key_file);

}  // namespace gantry::cli::chat
