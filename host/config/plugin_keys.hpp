// host/config/plugin_keys.hpp: keys of a plugin's configuration that gantryd itself serves: with a
// flag, with a value that follows from where the server is, with a grant of the file they name.
//
// A built-in plugin declares them in its gantryd.json, which the build compiles into the program
// (tools/cmake/GantryPluginKeys.cmake); the members below are the file's. Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gantry::host {

// An empty member does not apply.
// It has more than twelve members: one for each member of the file.
struct PluginKey {
  std::string key;

  // A flag that is short for the key, the kind of its value, and its line of --help. Without a kind
  // it takes no value and makes the key true.
  std::string flag, type, help;
  // The name of a positional argument that is short for the flag; at most one key has it.
  std::string positional;
  // The scheme that a value may have: with "sqlite" the value is what follows "sqlite:", or the
  // whole text. A value with another scheme and "://" is refused with `refusal`. Empty: the value
  // is neither a path nor a URL.
  std::string scheme, refusal;
  // Beginnings of values that are refused with `refusal` too.
  std::vector<std::string> refused;

  // The default: this path in the state directory.
  std::string in_state;
  // The plugin gets a secret of this name: a key of its own in the state directory, in the file
  // NAME-key, which is made. Unless the operator gives it one.
  std::string state_secret;
  // The default on a server with HTTP.
  std::string over_http;

  // "read" or "write": the value is a path, which a worker of the plugin may read, or write to. A
  // directory to write to is made.
  std::string grant;
  // Ends of the names of files that come and go beside the file. Its directory is granted with it;
  // where that cannot be granted, the files that are there.
  std::vector<std::string> beside;
};

// `value` as the plugin's configuration has it: without the key's scheme.
inline std::string_view without_scheme(const PluginKey& key, std::string_view value) {
  const bool has_scheme = !key.scheme.empty() && value.starts_with(key.scheme + ":");
  return has_scheme ? value.substr(key.scheme.size() + 1) : value;
}

struct PluginKeys {
  std::string plugin;   // its name
  std::string example;  // a command line, for --help
  std::string needs;    // the key without which the plugin is given neither values nor grants
  std::vector<PluginKey> keys;
};

// The keys of the built-in plugins.
std::vector<PluginKeys> builtin_plugin_keys();

}  // namespace gantry::host
