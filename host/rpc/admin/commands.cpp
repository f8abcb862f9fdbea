#include "host/rpc/admin/commands.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <vector>

#include "host/base/json.hpp"
#include "host/rpc/admin/state_json.hpp"

namespace gantry::host::rpc {
namespace {

namespace fs = std::filesystem;
using Value = rapidjson::Value;

// What a command was given.
struct Given {
  std::string name, file;
  bool lift = false;
};

struct Command {
  std::string_view method;
  // Names of the parameters; one with '?' may be absent.
  std::vector<std::string_view> parameters;
  bool changes;
};

const std::vector<Command>& commands() {
  static const std::vector<Command> kCommands = {
      {"host.info", {}, false},
      {"plugin.list", {}, false},
      {"plugin.info", {"name"}, false},
      {"plugin.load", {"file"}, true},
      {"plugin.unload", {"name"}, true},
      {"plugin.reload", {"name?"}, true},
      {"plugin.enable", {"name"}, true},
      {"plugin.disable", {"name"}, true},
      {"plugin.quarantine", {"name", "lift?"}, true},
  };
  return kCommands;
}

const Command* find(std::string_view method) {
  const auto& all = commands();
  const auto at = std::find_if(all.begin(), all.end(),
                               [method](const Command& c) { return c.method == method; });
  return at == all.end() ? nullptr : &*at;
}

Error error_of(const Status& status) {
  switch (status.code()) {
    case GANTRY_INVALID_ARGUMENT:
      return {kInvalidParams, status.message(), 400, {}};
    case GANTRY_NOT_FOUND:
      return {kInvalidParams, status.message(), 404, {}};
    case GANTRY_DENIED:
      return {kServerError, status.message(), 403, {}};
    case GANTRY_BUSY:
    case GANTRY_STOPPING:
      return {kServerError, status.message(), 503, {}};
    default:
      return {kServerError, status.message(), 409, {}};
  }
}

Status take_text(const Value& value, std::string_view name, std::string& out) {
  if (!value.IsString() || value.GetStringLength() == 0) {
    return Status::invalid("'" + std::string(name) + "' must be a text that is not empty");
  }
  out.assign(value.GetString(), value.GetStringLength());
  // A name with a NUL would be another one to everybody who reads C strings.
  if (out.find('\0') == std::string::npos) return {};
  return Status::invalid("'" + std::string(name) + "' contains a NUL");
}

Status take(const Value& value, std::string_view name, Given& given) {
  if (name == "name") return take_text(value, name, given.name);
  if (name == "lift") {
    if (!value.IsBool()) return Status::invalid("'lift' must be true or false");
    given.lift = value.GetBool();
    return {};
  }
  if (Status status = take_text(value, name, given.file); !status) return status;
  if (fs::path(given.file).is_absolute()) return {};
  return Status::invalid("'file' must be an absolute path, got '" + given.file + "'");
}

bool is_optional(std::string_view parameter) { return parameter.ends_with('?'); }

std::string_view bare(std::string_view parameter) {
  return parameter.substr(0, parameter.size() - (is_optional(parameter) ? 1 : 0));
}

Status check_unknown(const Command& command, const Value* params) {
  if (params == nullptr) return {};
  for (const auto& member : params->GetObject()) {
    const std::string_view name(member.name.GetString(), member.name.GetStringLength());
    const bool known = std::any_of(command.parameters.begin(), command.parameters.end(),
                                   [name](std::string_view p) { return bare(p) == name; });
    if (known && &params->FindMember(member.name)->value != &member.value) {
      return Status::invalid("'" + std::string(name) + "' stands twice");
    }
    if (!known) {
      return Status::invalid(std::string(command.method) + " has no parameter '" +
                             std::string(name) + "'");
    }
  }
  return {};
}

Result<Given> read(const Command& command, const Value* params) {
  if (params != nullptr && !params->IsObject())
    return Status::invalid("parameters must be an object");
  if (Status status = check_unknown(command, params); !status) return status;
  Given given;
  for (const std::string_view parameter : command.parameters) {
    const std::string name(bare(parameter));
    if (params == nullptr || !params->HasMember(name.c_str())) {
      if (is_optional(parameter)) continue;
      return Status::invalid(std::string(command.method) + " needs the parameter '" + name + "'");
    }
    if (Status status = take((*params)[name.c_str()], name, given); !status) return status;
  }
  return given;
}

template <class Wanted>
std::string states(const PluginAdmin& plugins, Wanted&& wanted) {
  std::string out = "{\"plugins\":[";
  for (const PluginState& state : plugins.list()) {
    if (!wanted(state)) continue;
    if (!out.ends_with('[')) out += ',';
    out += state_json(state);
  }
  return out + "]}";
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error);
}

Status change(PluginAdmin& plugins, std::string_view method, const Given& given) {
  if (method == "plugin.load") return plugins.load(fs::path(given.file).lexically_normal());
  if (method == "plugin.unload") return plugins.unload(given.name);
  if (method == "plugin.reload") return plugins.reload(given.name);
  if (method == "plugin.enable") return plugins.enable(given.name);
  if (method == "plugin.disable") return plugins.disable(given.name);
  return plugins.quarantine(given.name, !given.lift);
}

Result<std::string> answer(PluginAdmin& plugins, const AdminFacts& facts, const Command& command,
                           const Given& given) {
  if (command.method == "host.info") {
    std::string out = "{\"version\":" + json_string(facts.version);
    out += ",\"pid\":" + std::to_string(::getpid());
    if (!facts.endpoint.empty()) out += ",\"endpoint\":" + json_string(facts.endpoint);
    return out + "}";
  }
  if (command.method == "plugin.info") {
    auto info = plugins.info(given.name);
    if (!info) return info.status();
    return info_json(*info);
  }
  if (command.changes) {
    if (Status status = change(plugins, command.method, given); !status) return status;
  }
  return states(plugins, [&](const PluginState& state) {
    if (!given.file.empty()) return same_file(state.file, given.file);
    return given.name.empty() || state.name == given.name;
  });
}

}  // namespace

AdminCommands::AdminCommands(PluginAdmin& plugins, Log& log, AdminFacts facts)
    : plugins_(plugins), log_(log), facts_(std::move(facts)) {}

bool AdminCommands::changes(std::string_view method) {
  const Command* command = find(method);
  return command != nullptr && command->changes;
}

AdminAnswer AdminCommands::run(std::string_view method, const Value* params,
                               std::string_view who) const {
  const auto begin = std::chrono::steady_clock::now();
  AdminAnswer out;
  Given given;
  if (const Command* command = find(method); command == nullptr) {
    out.error = Error{kMethodNotFound, "There is no method '" + std::string(method) + "'", 404, {}};
  } else if (auto read_params = read(*command, params); !read_params) {
    out.error = error_of(read_params.status());
  } else {
    given = *read_params;
    auto result = answer(plugins_, facts_, *command, given);
    if (result) out.result = std::move(*result);
    if (!result) out.error = error_of(result.status());
  }
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin);
  log_.write(Level::info, "admin command",
             {{"method", method},
              {"plugin", given.name},
              {"file", given.file},
              {"by", who},
              {"outcome", out.error ? "refused" : "done"},
              {"reason", out.error ? out.error->message : std::string()},
              {"ms", static_cast<std::int64_t>(took.count())}});
  return out;
}

}  // namespace gantry::host::rpc
