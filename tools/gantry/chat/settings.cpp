#include "tools/gantry/chat/settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "host/base/text.hpp"

namespace gantry::cli::chat {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string usual_url(const std::string& provider) {
  if (provider == "openai") return "https://api.openai.com/v1";
  if (provider == "anthropic") return "https://api.anthropic.com/v1";
  return "http://127.0.0.1:11434/v1";
}

Result<std::string> key_from(const std::string& file) {
  if (file.empty()) return variable("LLM_API_KEY");
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line) || host::trimmed(line).empty()) {
    return Status::invalid("--key-file " + file + " has no key in its first line");
  }
  if (line.ends_with('\r')) line.pop_back();
  return std::string(host::trimmed(line));
}

// Whether the host of "HOST[:PORT][/…]" is this machine.
bool is_here(const std::string& rest) {
  const std::string host = rest.substr(0, rest.find('/'));
  const auto is = [&host](const std::string& name) {
    return host == name || host.starts_with(name + ":");
  };
  return is("127.0.0.1") || is("localhost") || is("[::1]");
}

Status checked(const Settings& settings) {
  const auto is_odd = [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f; };
  if (std::any_of(settings.key.begin(), settings.key.end(), is_odd)) {
    return Status::invalid("the provider's key has a blank or a control character in it");
  }
  if (!settings.is_local() && settings.key.empty()) {
    return Status::invalid(settings.provider +
                           " needs a key: set LLM_API_KEY, or name a file: --key-file FILE");
  }
  if (!settings.is_local() && settings.model.empty()) {
    return Status::invalid("LLM_MODEL is not set; it names the model of " + settings.provider);
  }
  const std::string& url = settings.base_url;
  if (!url.starts_with("http://") && !url.starts_with("https://")) {
    return Status::invalid("LLM_BASE_URL must begin with http:// or https://, got " + url);
  }
  if (!settings.is_local() && url.starts_with("http://") && !is_here(url.substr(7))) {
    return Status::invalid("LLM_BASE_URL " + url +
                           " would send the key unencrypted to another machine; use https://");
  }
  return {};
}

}  // namespace

Result<Settings> settings_from_environment(const std::string& key_file) {
  Settings out;
  out.provider = variable("LLM_PROVIDER");
  if (out.provider != "openai" && out.provider != "anthropic" && out.provider != "local") {
    return Status::invalid("LLM_PROVIDER must be openai, anthropic or local" +
                           (out.provider.empty() ? ", and is not set" : ", got " + out.provider));
  }
  auto key = key_from(key_file);
  if (!key) return key.status();
  out.key = std::move(*key);
  out.model = variable("LLM_MODEL");
  out.base_url = variable("LLM_BASE_URL");
  if (out.base_url.empty()) out.base_url = usual_url(out.provider);
  while (out.base_url.ends_with('/')) out.base_url.pop_back();
  if (Status status = checked(out); !status) return status;
  return out;
}

}  // namespace gantry::cli::chat
