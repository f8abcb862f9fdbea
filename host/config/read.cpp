#include "host/config/read.hpp"

#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>
#include <type_traits>

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <gantry/schema/validator.hpp>

#include "host/config/positions.hpp"

namespace gantry::host {
namespace {

using Value = rapidjson::Value;

std::string text_of(const Value& value) { return {value.GetString(), value.GetStringLength()}; }

std::string json_of(const Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

// Reads members of a checked object into Settings; what is absent stays as it is.
struct Reader {
  const Value& object;

  template <class T>
  void operator()(const char* name, T& out) const {
    const auto found = object.FindMember(name);
    if (found != object.MemberEnd()) read(found->value, out);
  }

  static void read(const Value& value, std::string& out) { out = text_of(value); }
  static void read(const Value& value, bool& out) { out = value.GetBool(); }
  static void read(const Value& value, std::int64_t& out) { out = integer(value); }
  static void read(const Value& value, std::optional<std::int64_t>& out) {
    out = value.IsString() ? std::nullopt : std::optional(integer(value));
  }
  static void read(const Value& value, std::vector<std::string>& out) {
    out.clear();
    for (const auto& text : value.GetArray()) out.push_back(text_of(text));
  }
  static void read(const Value& value, HttpSettings& out) { visit_http(out, Reader{value}); }
  static void read(const Value& value, LimitSettings& out) { visit_limits(out, Reader{value}); }
  static void read(const Value& value, std::map<std::string, PluginSection>& out) {
    for (const auto& plugin : value.GetObject()) read(plugin.value, out[text_of(plugin.name)]);
  }
  static void read(const Value& value, PluginSection& out) {
    if (value.HasMember("config")) out.config = json_of(value["config"]);
    visit_plugin(out, Reader{value});
  }
  static void read(const Value& value, TrustSection& out) { visit_trust(out, Reader{value}); }
  static void read(const Value& value, FilesSection& out) { visit_files(out, Reader{value}); }
  static void read(const Value& value, AllowSection& out) {
    out = {};
    if (value.IsObject()) return visit_allow(out, Reader{value});
    for (const auto& word : value.GetArray()) {
      out.network = out.network || text_of(word) == "network";
      out.processes = out.processes || text_of(word) == "processes";
    }
  }
  static void read(const Value& value, WorkerSection& out) { visit_worker(out, Reader{value}); }
  static void read(const Value& value, std::map<std::string, SecretSource>& out) {
    for (const auto& secret : value.GetObject()) {
      Reader source{secret.value};
      source("env", out[text_of(secret.name)].env);
      source("file", out[text_of(secret.name)].file);
    }
  }
  // A schema's integer may be written 1e3.
  static std::int64_t integer(const Value& value) {
    return value.IsInt64() ? value.GetInt64() : static_cast<std::int64_t>(value.GetDouble());
  }
};

std::string pointer_of(const schema::Error& error, const Located& located) {
  // An unknown key is a fault of the object; its line is that of the key.
  for (const auto& [pointer, line] : located.lines) {
    const auto slash = pointer.rfind('/');
    if (slash == std::string::npos || pointer.substr(0, slash) != error.pointer) continue;
    const bool unknown =
        error.message.find("unknown property '" + pointer.substr(slash + 1) + "'") == 0;
    if (unknown) return pointer;
  }
  return error.pointer;
}

std::string sentences(const std::vector<schema::Error>& errors, const Located& located,
                      const std::string& file) {
  std::string out;
  for (const auto& error : errors) {
    if (!out.empty()) out += '\n';
    const std::string pointer = pointer_of(error, located);
    out += file + ":" + std::to_string(located.line_of(pointer)) + ": ";
    const schema::Error one[] = {error};
    out += schema::explain(one, "configuration");
  }
  return out;
}

}  // namespace

Result<Settings> read_settings(std::string_view text, const std::string& file) {
  auto located = locate(text, file);
  if (!located) return located.status();
  const auto validator = schema::Validator::compile(config_schema());
  if (!validator) return validator.status();
  if (!validator->validate(located->document)) {
    return Status::invalid(sentences(validator->errors(located->document), *located, file));
  }
  Settings settings;
  visit_settings(settings, Reader{located->document});
  if (auto address = parse_address(settings.listen); !address) {
    return Status::invalid(file + ":" + std::to_string(located->line_of("/listen")) + ": " +
                           address.message());
  }
  return settings;
}

Result<Settings> read_settings_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return Status::invalid("cannot read the configuration file " + file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) return Status::invalid("cannot read the configuration file " + file);
  return read_settings(text, file);
}

Result<Address> parse_address(std::string_view listen) {
  const std::string problem =
      "listen: expected HOST:PORT such as 127.0.0.1:8765 or [::1]:8765, got '" +
      std::string(listen) + "'";
  const auto colon = listen.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return Status::invalid(problem);
  std::string_view host = listen.substr(0, colon), port = listen.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return Status::invalid(problem);  // an IPv6 address without brackets
  }
  Address address{std::string(host), 0};
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc() || end != port.data() + port.size() || host.empty())
    return Status::invalid(problem);
  return address;
}

}  // namespace gantry::host
