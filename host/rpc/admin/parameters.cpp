#include "host/rpc/admin/parameters.hpp"

#include <algorithm>
#include <filesystem>

namespace gantry::host::rpc {
namespace {

namespace fs = std::filesystem;
using Value = rapidjson::Value;
using Command = AdminCommand;
using Given = AdminGiven;

const std::vector<Command>& commands() {
  static const std::vector<Command> kCommands = {
      {"host.info", {}, false},
      {"audit.find", {"id"}, false},
      {"plugin.list", {}, false},
      {"plugin.info", {"name"}, false},
      {"plugin.load", {"file"}, true},
      {"plugin.unload", {"name"}, true},
      {"plugin.reload", {"name?"}, true},
      {"plugin.enable", {"name"}, true},
      {"agent.permit", {"agent", "tool?", "classes?", "every?"}, true},
      {"plugin.disable", {"name"}, true},
      {"plugin.quarantine", {"name", "lift?"}, true},
      {"approval.list", {}, false},
      {"approval.show", {"id"}, false},
      {"approval.answer", {"id", "accept", "note?"}, true},
  };
  return kCommands;
}

Status take_text(const Value& value, std::string_view name, std::string& out) {
  if (!value.IsString() || value.GetStringLength() == 0) {
    return Status::invalid("'" + std::string(name) + "' must be a text that is not empty");
  }
  out.assign(value.GetString(), value.GetStringLength());
  // Reject NUL: C APIs would see a truncated name.
  if (out.find('\0') == std::string::npos) return {};
  return Status::invalid("'" + std::string(name) + "' contains a NUL");
}

Status take_flag(const Value& value, std::string_view name, bool& out) {
  if (!value.IsBool()) return Status::invalid("'" + std::string(name) + "' must be true or false");
  out = value.GetBool();
  return {};
}

Status take_texts(const Value& value, std::string_view name, std::vector<std::string>& out) {
  if (!value.IsArray()) return Status::invalid("'" + std::string(name) + "' must be an array");
  for (const auto& each : value.GetArray()) {
    if (Status status = take_text(each, name, out.emplace_back()); !status) return status;
  }
  return {};
}

Status take_note(const Value& value, std::string& out) {
  constexpr std::size_t kMostNote = 1000;
  if (Status status = take_text(value, "note", out); !status) return status;
  if (out.size() <= kMostNote) return {};
  return Status::invalid("'note' has more than " + std::to_string(kMostNote) + " bytes");
}

Status take(const Value& value, std::string_view name, Given& given) {
  if (name == "name") return take_text(value, name, given.name);
  if (name == "id") return take_text(value, name, given.id);
  if (name == "agent") return take_text(value, name, given.agent);
  if (name == "tool") return take_text(value, name, given.tool);
  if (name == "classes") return take_texts(value, name, given.classes);
  if (name == "lift") return take_flag(value, name, given.lift);
  if (name == "every") return take_flag(value, name, given.every);
  if (name == "accept") return take_flag(value, name, given.accept);
  if (name == "note") return take_note(value, given.note);
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

}  // namespace

const AdminCommand* find_admin_command(std::string_view method) {
  const auto& all = commands();
  const auto at = std::find_if(all.begin(), all.end(),
                               [method](const Command& c) { return c.method == method; });
  return at == all.end() ? nullptr : &*at;
}

Result<AdminGiven> read_admin_parameters(const AdminCommand& command, const Value* params) {
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

}  // namespace gantry::host::rpc
