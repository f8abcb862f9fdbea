#include "host/rpc/admin/parameters.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <rapidjson/document.h>

namespace gantry::host::rpc {
namespace {

namespace fs = std::filesystem;
using Value = rapidjson::Value;

// One entry of a method's list, taken apart.
struct Parameter {
  explicit Parameter(std::string_view text) {
    const auto colon = text.find(':');
    if (colon != std::string_view::npos) form = text.substr(colon + 1);
    name = text.substr(0, colon);
    optional = name.ends_with('?');
    if (optional) name.remove_suffix(1);
  }
  std::string quoted() const { return "'" + std::string(name) + "'"; }

  std::string_view name, form = "text";
  bool optional = false;
};

Status check_text(const Parameter& parameter, const Value& value) {
  if (!value.IsString() || value.GetStringLength() == 0) {
    return Status::invalid(parameter.quoted() + " must be a text that is not empty");
  }
  // Reject NUL: C APIs would see a truncated name.
  const std::string_view text(value.GetString(), value.GetStringLength());
  if (text.find('\0') == std::string_view::npos) return {};
  return Status::invalid(parameter.quoted() + " contains a NUL");
}

Status check_texts(const Parameter& parameter, const Value& value) {
  if (!value.IsArray()) return Status::invalid(parameter.quoted() + " must be an array");
  for (const auto& each : value.GetArray()) {
    if (Status status = check_text(parameter, each); !status) return status;
  }
  return {};
}

Status check_note(const Parameter& parameter, const Value& value) {
  constexpr std::size_t kMostNote = 1000;
  if (Status status = check_text(parameter, value); !status) return status;
  if (value.GetStringLength() <= kMostNote) return {};
  return Status::invalid(parameter.quoted() + " has more than " + std::to_string(kMostNote) +
                         " bytes");
}

Status check_file(const Parameter& parameter, const Value& value) {
  if (Status status = check_text(parameter, value); !status) return status;
  if (fs::path(value.GetString()).is_absolute()) return {};
  return Status::invalid(parameter.quoted() + " must be an absolute path, got '" +
                         value.GetString() + "'");
}

// Records are compared with it as text, so its first letters have to be those of a time.
Status check_time(const Parameter& parameter, const Value& value) {
  constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:dd";
  if (Status status = check_text(parameter, value); !status) return status;
  const std::string_view text(value.GetString(), value.GetStringLength());
  const auto fits = [](char wanted, char c) {
    return wanted == 'd' ? c >= '0' && c <= '9' : wanted == c;
  };
  const bool good = text.size() > kForm.size() && text.ends_with('Z') &&
                    std::equal(kForm.begin(), kForm.end(), text.begin(), fits);
  if (good) return {};
  return Status::invalid(parameter.quoted() + " must be a time such as 2026-11-26T19:20:00Z");
}

Status check_number(const Parameter& parameter, const Value& value) {
  std::int64_t least = 0, most = 0;
  const char* const end = parameter.form.data() + parameter.form.size();
  const auto comma =
      std::from_chars(parameter.form.data() + std::string_view("number(").size(), end, least).ptr;
  std::from_chars(comma + 1, end, most);
  if (value.IsInt64() && value.GetInt64() >= least && value.GetInt64() <= most) return {};
  return Status::invalid(parameter.quoted() + " must be an integer from " + std::to_string(least) +
                         " to " + std::to_string(most));
}

Status check_value(const Parameter& parameter, const Value& value) {
  if (parameter.form == "texts") return check_texts(parameter, value);
  if (parameter.form == "note") return check_note(parameter, value);
  if (parameter.form == "file") return check_file(parameter, value);
  if (parameter.form == "time") return check_time(parameter, value);
  if (parameter.form.starts_with("number")) return check_number(parameter, value);
  if (parameter.form == "object") {
    return value.IsObject() ? Status() : Status::invalid(parameter.quoted() + " must be an object");
  }
  if (parameter.form == "flag") {
    return value.IsBool() ? Status()
                          : Status::invalid(parameter.quoted() + " must be true or false");
  }
  return check_text(parameter, value);
}

Status check_unknown(const AdminMethod& method, const Value& params) {
  for (const auto& member : params.GetObject()) {
    const std::string_view name(member.name.GetString(), member.name.GetStringLength());
    const bool known =
        std::any_of(method.parameters.begin(), method.parameters.end(),
                    [name](std::string_view p) { return Parameter(p).name == name; });
    if (known && &params.FindMember(member.name)->value != &member.value) {
      return Status::invalid("'" + std::string(name) + "' stands twice");
    }
    if (!known) {
      return Status::invalid(std::string(method.name) + " has no parameter '" + std::string(name) +
                             "'");
    }
  }
  return {};
}

}  // namespace

const Value* AdminParams::find(std::string_view name) const {
  if (object_ == nullptr) return nullptr;
  const Value key(rapidjson::StringRef(name.data(), name.size()));
  const auto found = object_->FindMember(key);
  return found == object_->MemberEnd() ? nullptr : &found->value;
}

std::string AdminParams::text(std::string_view name) const {
  const Value* const value = find(name);
  return value ? std::string(value->GetString(), value->GetStringLength()) : std::string();
}

std::vector<std::string> AdminParams::texts(std::string_view name) const {
  std::vector<std::string> out;
  const Value* const value = find(name);
  if (value == nullptr) return out;
  for (const auto& each : value->GetArray()) {
    out.emplace_back(each.GetString(), each.GetStringLength());
  }
  return out;
}

bool AdminParams::flag(std::string_view name) const {
  const Value* const value = find(name);
  return value != nullptr && value->GetBool();
}

std::int64_t AdminParams::number(std::string_view name, std::int64_t otherwise) const {
  const Value* const value = find(name);
  return value ? value->GetInt64() : otherwise;
}

Result<AdminParams> read_admin_parameters(const AdminMethod& method, const Value* params) {
  if (params != nullptr && !params->IsObject())
    return Status::invalid("parameters must be an object");
  if (params != nullptr) {
    if (Status status = check_unknown(method, *params); !status) return status;
  }
  const AdminParams out(params);
  for (const std::string_view text : method.parameters) {
    const Parameter parameter(text);
    const Value* const value = out.find(parameter.name);
    if (value == nullptr && parameter.optional) continue;
    if (value == nullptr) {
      return Status::invalid(std::string(method.name) + " needs the parameter " +
                             parameter.quoted());
    }
    if (Status status = check_value(parameter, *value); !status) return status;
  }
  return out;
}

}  // namespace gantry::host::rpc
