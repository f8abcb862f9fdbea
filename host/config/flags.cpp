#include "host/config/flags.hpp"

#include <algorithm>
#include <optional>

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <CLI/CLI.hpp>

#include "host/config/read.hpp"

namespace gantry::host {
namespace {

constexpr const char* kFooter = R"(Exit codes: 0 stopped, 2 bad configuration, 3 cannot listen.

When it can answer it writes one line to standard output, "gantryd ready URL", and nothing else
ever; logs go to standard error. With --stdio only the protocol is on standard output.
Each call leaves one audit line ("call") in the log at every --log-level but off.
Environment: GANTRY_API_KEY, when not empty, is the key that every client must send
("Authorization: Bearer KEY" or "X-MCP-API-Key: KEY"); without it only loopback is served, and
beyond loopback it has at least 16 characters. A blank one is refused.
GANTRY_ADMIN_KEY is a key with which plugins can be managed under /admin/plugins, from loopback
unless the configuration says "remote_admin": true.

Try:  )";
constexpr const char* kClient = "claude mcp add --transport http gantry http://127.0.0.1:8765/mcp";

// The flag of a plugin's key, and its value from the command line.
struct KeyFlag {
  const PluginKeys& plugin;
  const PluginKey& key;
  std::string value;
};

// The settings of the command line, before they override those of the file. One member for each
// flag, so it has more than twelve.
struct Flags {
  std::string config, agent;
  std::vector<KeyFlag> keys;
  std::vector<std::string> plugin_directories, plugin_files;
  std::optional<std::string> listen, builtin_plugins, state, control, log_level, log_format;
  bool stdio = false, check = false, print = false;
};

void declare(CLI::App& app, Flags& flags) {
  app.add_option("--config", flags.config, "Configuration file: JSON with comments")
      ->type_name("FILE");
  for (KeyFlag& flag : flags.keys)
    app.add_option(flag.key.flag, flag.value, flag.key.help)->type_name(flag.key.type);
  app.add_option("--plugins", flags.plugin_directories,
                 "Also load the *.so files of DIR; may be repeated")
      ->type_name("DIR")
      ->expected(1)
      ->take_all();
  app.add_option("--plugin", flags.plugin_files, "Also load this plugin; may be repeated")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
  app.add_option("--builtin-plugins", flags.builtin_plugins,
                 "Directory of the built-in plugins, or none [lib/gantry/plugins of the "
                 "installation, plugins/ beside bin/ in a build]")
      ->type_name("DIR");
  app.add_option("--listen", flags.listen,
                 "Where to serve HTTP; port 0 takes a free one [127.0.0.1:8765]")
      ->type_name("HOST:PORT");
  app.add_flag("--stdio", flags.stdio, "Serve one client on standard input and output instead");
  app.add_option("--agent", flags.agent,
                 "Agent of the client on standard input [local, the only one]")
      ->type_name("NAME");
  app.add_option("--state", flags.state,
                 "Private directory of this server, made if missing "
                 "[$XDG_STATE_HOME or ~/.local/state, gantry]")
      ->type_name("DIR");
  app.add_option("--control", flags.control,
                 "Socket for gantry, this user's commands, or none "
                 "[gantryd-PID.sock in gantry of $XDG_RUNTIME_DIR]")
      ->type_name("PATH");
  app.add_option("--log-level", flags.log_level, "trace, debug, info, warn, error or off [info]")
      ->type_name("LEVEL")
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}));
  app.add_option("--log-format", flags.log_format, "text or json [text]")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"text", "json"}));
  app.add_flag("--check-config", flags.check, "Check the configuration, then leave");
  app.add_flag("--print-config", flags.print,
               "Print the whole configuration, defaults included, and leave");
}

Result<std::string> value_of(const KeyFlag& flag) {
  const std::string_view value = without_scheme(flag.key, flag.value);
  const bool is_known = flag.key.scheme.empty() || value != flag.value;
  if (is_known || value.find("://") == value.npos) return std::string(value);
  return Status::invalid(flag.key.flag + " " + flag.value + ": " + flag.key.refusal);
}

void set_config(PluginSettings& section, const std::string& key, const std::string& text) {
  rapidjson::Document config;
  config.Parse(section.config.data(), section.config.size());
  auto& pool = config.GetAllocator();
  config.EraseMember(key.c_str());  // keeps the order of the others
  config.AddMember(rapidjson::Value(key.c_str(), pool), rapidjson::Value(text.c_str(), pool), pool);
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  config.Accept(writer);
  section.config = buffer.GetString();
}

Status lay_over(CommandLine& line, const KeyFlag& flag) {
  if (flag.value.empty()) return {};
  auto value = value_of(flag);
  if (!value) return value.status();
  const std::string& plugin = flag.plugin.plugin;
  auto& required = line.required_plugins;
  if (std::find(required.begin(), required.end(), plugin) == required.end())
    required.push_back(plugin);
  set_config(line.settings.plugins[plugin], flag.key.key, *value);
  return {};
}

template <class T>
void lay_over(T& setting, const std::optional<T>& flag) {
  if (flag) setting = *flag;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

Status apply(CommandLine& line, const Flags& flags) {
  Settings& settings = line.settings;
  lay_over(settings.listen, flags.listen);
  lay_over(settings.builtin_plugins, flags.builtin_plugins);
  lay_over(settings.state, flags.state);
  lay_over(settings.control, flags.control);
  lay_over(settings.log_level, flags.log_level);
  lay_over(settings.log_format, flags.log_format);
  settings.stdio = settings.stdio || flags.stdio;
  append(settings.plugin_directories, flags.plugin_directories);
  append(settings.plugin_files, flags.plugin_files);
  if (!flags.agent.empty() && flags.agent != "local") {
    return Status::invalid("--agent " + flags.agent + ": no such agent; the only one is 'local'");
  }
  if (auto address = parse_address(settings.listen); !address) return address.status();
  for (const KeyFlag& flag : flags.keys) {
    if (Status status = lay_over(line, flag); !status) return status;
  }
  return {};
}

std::vector<KeyFlag> key_flags(const std::vector<PluginKeys>& plugins) {
  std::vector<KeyFlag> out;
  for (const PluginKeys& plugin : plugins) {
    for (const PluginKey& key : plugin.keys) {
      if (!key.flag.empty()) out.push_back({plugin, key, {}});
    }
  }
  return out;
}

// The help's end: an example for each plugin that has one, and a client to it.
std::string footer(const std::vector<PluginKeys>& plugins) {
  std::string out = kFooter;
  for (const PluginKeys& plugin : plugins) {
    if (!plugin.example.empty()) out += plugin.example + "\n      ";
  }
  return out + kClient;
}

CommandLine leave(int code, std::string output, std::string errors) {
  CommandLine line;
  line.action = CommandLine::Action::leave;
  line.exit_code = code;
  line.output = std::move(output);
  line.errors = std::move(errors);
  return line;
}

CommandLine refuse(const std::string& why) { return leave(2, {}, "gantryd: " + why + "\n"); }

}  // namespace

CommandLine read_command_line(int argc, const char* const* argv, std::string_view version,
                              const std::vector<PluginKeys>& plugins) {
  CLI::App app("gantryd hosts tools for AI agents over the Model Context Protocol.", "gantryd");
  Flags flags;
  flags.keys = key_flags(plugins);
  declare(app, flags);
  app.set_version_flag("--version", "gantryd " + std::string(version));
  app.footer(footer(plugins));
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return leave(0, app.help(), {});
  } catch (const CLI::CallForVersion&) {
    return leave(0, "gantryd " + std::string(version) + "\n", {});
  } catch (const CLI::ParseError& error) {
    return refuse(std::string(error.what()) + "\nRun gantryd --help for all flags.");
  }
  CommandLine line;
  if (!flags.config.empty()) {
    auto settings = read_settings_file(flags.config);
    if (!settings) return leave(2, {}, settings.message() + "\n");
    line.settings = std::move(*settings);
    line.config_file = flags.config;
  }
  if (Status status = apply(line, flags); !status) return refuse(status.message());
  if (flags.print) return leave(0, print_settings(line.settings), {});
  if (flags.check) line.action = CommandLine::Action::check;
  return line;
}

}  // namespace gantry::host
