#include "host/config/flags.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <CLI/CLI.hpp>

#include <gantry/schema/nearest.hpp>

#include "host/config/gates.hpp"
#include "host/config/public_url.hpp"
#include "host/config/read.hpp"

namespace gantry::host {
namespace {

constexpr const char* kAbout = "gantryd hosts tools for AI agents over the Model Context Protocol.";
constexpr const char* kFooter = R"(Exit codes: 0 stopped, 2 bad configuration, 3 cannot listen.

When it can answer it writes one line to standard output, "gantryd ready URL", and nothing else
ever; logs go to standard error. With --stdio only the protocol is on standard output.
Each call leaves one audit line ("call") in the log, at --log-level warn and below.
Environment: GANTRY_API_KEY, when not empty, is the key that every client must send
("Authorization: Bearer KEY" or "X-MCP-API-Key: KEY"); without it only loopback is served, and
beyond loopback it has at least 16 characters. A blank one is refused.
Keys made by "gantry key create" are taken over at once, without a restart.
GANTRY_ADMIN_KEY is a key for the operators' API under /admin and the web console at / ("gantry open"
logs in there, too), from loopback unless the configuration says "remote_admin": true.
GANTRY_ALLOW_WRITE_TOOLS, GANTRY_ALLOW_SCHEMA_OPS, GANTRY_ALLOW_RAW_CRUD and GANTRY_ALLOW_RAW_SCHEMA
(1, true, yes, on) are gates: without them nothing that changes data is listed or run; see
"gantry agent gates".

Try:  )";
constexpr const char* kClient = "claude mcp add --transport http gantry http://127.0.0.1:8765/mcp";

// The flag of a plugin's key, and its value from the command line.
struct KeyFlag {
  const PluginKeys& plugin;
  const PluginKey& key;
  std::string value;
  bool is_on = false;  // of a flag without a value
};

// The settings of the command line, before they override those of the file. One member for each
// flag, so it has more than twelve.
struct Flags {
  std::string config;
  std::vector<KeyFlag> keys;
  std::vector<std::string> plugin_directories, plugin_files, allowed_hosts, allowed_origins;
  std::optional<std::string> instructions, listen, public_url, builtin_plugins, agents, agent,
      state, control, log_level, log_format;
  bool stdio = false, check = false, print = false;
};

std::string names_of(const PluginKey& key) {
  return key.positional.empty() ? key.flag : key.flag + "," + key.positional;
}

void declare_list(CLI::App& app, const char* flag, std::vector<std::string>& values,
                  const char* help, const char* type) {
  app.add_option(flag, values, help)->type_name(type)->expected(1)->take_all();
}

void declare_http(CLI::App& app, Flags& flags) {
  app.add_option("--listen", flags.listen,
                 "Where to serve HTTP; a PORT alone is of 127.0.0.1, port 0 takes a free one "
                 "[127.0.0.1:8765]")
      ->type_name("HOST:PORT");
  declare_list(
      app, "--allow-host", flags.allowed_hosts,
      "Also a name this server is reached by; short for http.allowed_hosts; may be repeated",
      "NAME");
  declare_list(app, "--allow-origin", flags.allowed_origins,
               "Also a web page that may use this server; short for http.allowed_origins; may be "
               "repeated",
               "ORIGIN");
  app.add_option("--public-url", flags.public_url,
                 "The https address of /mcp for clients beyond loopback; short for http.public_url")
      ->type_name("URL");
}

void declare_log(CLI::App& app, Flags& flags) {
  app.add_option("--log-level", flags.log_level, "trace, debug, info, warn, error or off [info]")
      ->type_name("LEVEL")
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}));
  app.add_option("--log-format", flags.log_format, "text or json [text]")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"text", "json"}));
}

void declare(CLI::App& app, Flags& flags) {
  app.add_option("--config", flags.config, "Configuration file: JSON with comments")
      ->type_name("FILE");
  for (KeyFlag& flag : flags.keys) {
    if (flag.key.type.empty()) {
      app.add_flag(flag.key.flag, flag.is_on, flag.key.help);
    } else {
      app.add_option(names_of(flag.key), flag.value, flag.key.help)->type_name(flag.key.type);
    }
  }
  declare_list(app, "--plugins", flags.plugin_directories,
               "Also load the *.so files of DIR; may be repeated", "DIR");
  declare_list(app, "--plugin", flags.plugin_files, "Also load this plugin; may be repeated",
               "FILE");
  app.add_option("--builtin-plugins", flags.builtin_plugins,
                 "Directory of the built-in plugins, or none [lib/gantry/plugins of the "
                 "installation, plugins/ beside bin/ in a build]")
      ->type_name("DIR");
  declare_http(app, flags);
  app.add_option("--instructions", flags.instructions,
                 "Guidance for the model, sent when a client opens; of @FILE, its text")
      ->type_name("TEXT");
  app.add_flag("--stdio", flags.stdio, "Serve one client on standard input and output instead");
  app.add_option("--agents", flags.agents,
                 "Profiles of callers, their roles and issuers of tokens: JSON with comments, read "
                 "again when it changes [the one profile local]")
      ->type_name("FILE");
  app.add_option("--agent", flags.agent,
                 "Profile of the client on standard input; over HTTP of GANTRY_API_KEY, or of "
                 "callers from this machine while there are no keys [local without --agents]")
      ->type_name("NAME");
  app.add_option("--state", flags.state,
                 "Private directory of this server, made if missing "
                 "[$XDG_STATE_HOME or ~/.local/state, gantry]")
      ->type_name("DIR");
  app.add_option("--control", flags.control,
                 "Socket for gantry, this user's commands, or none "
                 "[gantryd-PID.sock in gantry of $XDG_RUNTIME_DIR]")
      ->type_name("PATH");
  declare_log(app, flags);
  app.add_flag("--check-config", flags.check,
               "Load and open what the configuration names, say what was found, and leave");
  app.add_flag("--print-config", flags.print,
               "Print the whole configuration, defaults included, and leave");
}

Result<std::string> value_of(const KeyFlag& flag) {
  const std::string_view value = without_scheme(flag.key, flag.value);
  const auto& refused = flag.key.refused;
  const bool is_known = flag.key.scheme.empty() || value != flag.value;
  const bool is_refused =
      (!is_known && value.find("://") != value.npos) ||
      std::any_of(refused.begin(), refused.end(),
                  [value](const std::string& begin) { return value.starts_with(begin); });
  if (!is_refused) return std::string(value);
  return Status::invalid(flag.key.flag + " " + flag.value + ": " + flag.key.refusal);
}

// `text`: the value; of a flag without one it is true.
void set_config(PluginSettings& section, const PluginKey& key, const std::string& text) {
  rapidjson::Document config;
  config.Parse(section.config.data(), section.config.size());
  auto& pool = config.GetAllocator();
  config.EraseMember(key.key.c_str());  // keeps the order of the others
  rapidjson::Value value(true);
  if (!key.type.empty()) value.SetString(text.c_str(), pool);
  config.AddMember(rapidjson::Value(key.key.c_str(), pool), value, pool);
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  config.Accept(writer);
  section.config = buffer.GetString();
}

Status lay_over(CommandLine& line, const KeyFlag& flag) {
  if (flag.value.empty() && !flag.is_on) return {};
  auto value = value_of(flag);
  if (!value) return value.status();
  const std::string& plugin = flag.plugin.plugin;
  auto& required = line.required_plugins;
  if (std::find(required.begin(), required.end(), plugin) == required.end())
    required.push_back(plugin);
  set_config(line.settings.plugins[plugin], flag.key, *value);
  return {};
}

template <class T>
void lay_over(T& setting, const std::optional<T>& flag) {
  if (flag) setting = *flag;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

Status set_instructions(Settings& settings, const Flags& flags) {
  if (!flags.instructions) return {};
  settings.instructions = *flags.instructions;
  if (!settings.instructions.starts_with('@')) return {};
  const std::string file = settings.instructions.substr(1);
  std::ifstream in(file, std::ios::binary);
  settings.instructions.assign(std::istreambuf_iterator<char>(in), {});
  if (in.is_open() && !in.bad()) return {};
  return Status::invalid("--instructions: cannot read the file " + file);
}

// The name of a host or origin that a flag gives.
Status check_names(const char* flag, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (name.empty() || name.find_first_of(" ,\t") != name.npos) {
      return Status::invalid(std::string(flag) + " '" + name +
                             "': give one name; repeat the flag for more");
    }
  }
  return {};
}

Status apply_http(Settings& settings, const Flags& flags) {
  if (flags.stdio && flags.listen) {
    return Status::invalid(
        "--stdio and --listen exclude each other: either one client on standard input, or HTTP");
  }
  lay_over(settings.listen, flags.listen);
  settings.stdio = flags.stdio || (settings.stdio && !flags.listen);
  if (Status good = check_names("--allow-host", flags.allowed_hosts); !good) return good;
  if (Status good = check_names("--allow-origin", flags.allowed_origins); !good) return good;
  append(settings.http.guard.allowed_hosts, flags.allowed_hosts);
  append(settings.http.guard.allowed_origins, flags.allowed_origins);
  if (flags.public_url) {
    auto url = canonical_public_url(*flags.public_url);
    if (!url) return Status::invalid("--public-url: " + url.message());
    settings.http.public_url = std::move(*url);
  }
  const auto address = parse_address(settings.listen);
  return address ? Status() : address.status();
}

Status apply(CommandLine& line, const Flags& flags) {
  Settings& settings = line.settings;
  lay_over(settings.builtin_plugins, flags.builtin_plugins);
  lay_over(settings.agents, flags.agents);
  lay_over(settings.agent, flags.agent);
  lay_over(settings.state, flags.state);
  lay_over(settings.control, flags.control);
  lay_over(settings.log_level, flags.log_level);
  lay_over(settings.log_format, flags.log_format);
  append(settings.plugin_directories, flags.plugin_directories);
  append(settings.plugin_files, flags.plugin_files);
  append(line.required_paths, flags.plugin_directories);
  append(line.required_paths, flags.plugin_files);
  if (flags.builtin_plugins && *flags.builtin_plugins != "none") {
    line.required_paths.push_back(*flags.builtin_plugins);
  }
  if (settings.agents.empty() && !settings.agent.empty() && settings.agent != "local") {
    return Status::invalid("--agent " + settings.agent +
                           ": no such agent; without --agents FILE the only one is 'local'");
  }
  if (Status good = apply_http(settings, flags); !good) return good;
  if (Status good = set_instructions(settings, flags); !good) return good;
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

// "; did you mean '--listen'?" for the first flag on the command line that there is not.
std::string nearest_flag(const CLI::App& app, int argc, const char* const* argv) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) flags.push_back("--" + name);
  }
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    word.resize(std::min(word.find('='), word.size()));
    if (!word.starts_with("--") || std::find(flags.begin(), flags.end(), word) != flags.end()) {
      continue;
    }
    const auto nearest = schema::nearest(word, std::span<const std::string>(flags));
    return nearest ? "; did you mean '" + std::string(*nearest) + "'?" : std::string();
  }
  return {};
}

void declare_all(CLI::App& app, Flags& flags, std::string_view version,
                 const std::vector<PluginKeys>& plugins) {
  flags.keys = key_flags(plugins);
  declare(app, flags);
  app.set_version_flag("--version", "gantryd " + std::string(version));
  app.footer(footer(plugins));
}

}  // namespace

void with_flags(std::string_view version, const std::vector<PluginKeys>& plugins,
                const std::function<void(const CLI::App&)>& use) {
  CLI::App app(kAbout, "gantryd");
  Flags flags;
  declare_all(app, flags, version, plugins);
  use(app);
}

CommandLine read_command_line(int argc, const char* const* argv, std::string_view version,
                              const std::vector<PluginKeys>& plugins) {
  CLI::App app(kAbout, "gantryd");
  Flags flags;
  declare_all(app, flags, version, plugins);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return leave(0, app.help(), {});
  } catch (const CLI::CallForVersion&) {
    return leave(0, "gantryd " + std::string(version) + "\n", {});
  } catch (const CLI::ParseError& error) {
    return refuse(error.what() + nearest_flag(app, argc, argv) +
                  "\nRun gantryd --help for all flags.");
  }
  CommandLine line;
  if (!flags.config.empty()) {
    auto settings = read_settings_file(flags.config);
    if (!settings) return refuse(settings.message());
    line.settings = std::move(*settings);
    line.config_file = flags.config;
  }
  if (Status status = apply(line, flags); !status) return refuse(status.message());
  if (flags.print) {
    return leave(
        0, print_settings(line.settings),
        "gantryd: gates that the environment opens: " + gate_names(gates_of_environment()) + "\n");
  }
  if (flags.check) line.action = CommandLine::Action::check;
  return line;
}

}  // namespace gantry::host
