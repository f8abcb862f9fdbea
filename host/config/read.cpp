#include "host/config/read.hpp"

#include <algorithm>
#include <charconv>
#include <concepts>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <utility>

#include <gantry/schema/validator.hpp>

#include "host/base/json_of.hpp"
#include "host/config/positions.hpp"
#include "host/config/public_url.hpp"

namespace gantry::host {
namespace {

using Value = rapidjson::Value;

std::string text_of(const Value& value) { return {value.GetString(), value.GetStringLength()}; }

// Reads members of a checked object into Settings; absent members keep their defaults.
struct Reader {
  const Value& object;

  template <class T>
  void operator()(const char* name, T& out) const {
    const auto found = object.FindMember(name);
    if (found != object.MemberEnd()) read(found->value, out);
  }

  template <class T, class Words>
  void word(const char* name, T& out, const Words& words) const {
    const auto found = object.FindMember(name);
    if (found == object.MemberEnd()) return;
    for (const auto& [text, value] : words) {
      if (text == text_of(found->value)) out = value;
    }
  }
  void places(const char* name, int& out) const {
    const auto found = object.FindMember(name);
    if (found == object.MemberEnd()) return;
    found->value.IsString() ? void(out = 0) : read(found->value, out);
  }

  static void read(const Value& value, std::string& out) { out = text_of(value); }
  static void read(const Value& value, std::filesystem::path& out) { out = text_of(value); }
  static void read(const Value& value, bool& out) { out = value.GetBool(); }
  static void read(const Value& value, std::optional<bool>& out) {
    out = value.IsBool() ? std::optional(value.GetBool()) : std::nullopt;
  }
  static void read(const Value& value, double& out) { out = value.GetDouble(); }
  // A schema's integer may be written 1e3. A number beyond the member's range becomes its maximum.
  template <std::integral T>
  static void read(const Value& value, T& out) {
    constexpr auto kMost = std::numeric_limits<T>::max();
    if (value.IsInt64()) {
      out = std::cmp_less(value.GetInt64(), kMost) ? static_cast<T>(value.GetInt64()) : kMost;
    } else {
      const double number = value.GetDouble();
      out = number < static_cast<double>(kMost) ? static_cast<T>(number) : kMost;
    }
  }
  template <class Rep, class Period>
  static void read(const Value& value, std::chrono::duration<Rep, Period>& out) {
    Rep count{};
    read(value, count);
    out = std::chrono::duration<Rep, Period>(count);
  }
  template <class T>
  static void read(const Value& value, std::vector<T>& out) {
    out.clear();
    for (const auto& each : value.GetArray()) read(each, out.emplace_back());
  }
  template <class T>
  static void read(const Value& value, std::map<std::string, T, std::less<>>& out) {
    for (const auto& each : value.GetObject()) read(each.value, out[text_of(each.name)]);
  }
  static void read(const Value& value, HttpSettings& out) { visit_http(out, Reader{value}); }
  static void read(const Value& value, LimitSettings& out) { visit_limits(out, Reader{value}); }
  static void read(const Value& value, AuditSettings& out) { visit_audit(out, Reader{value}); }
  static void read(const Value& value, TraceSettings& out) { visit_traces(out, Reader{value}); }
  static void read(const Value& value, TrustSettings& out) { visit_trust(out, Reader{value}); }
  static void read(const Value& value, FileGrants& out) { visit_files(out, Reader{value}); }
  static void read(const Value& value, WorkerLimits& out) { visit_worker(out, Reader{value}); }
  static void read(const Value& value, PluginSettings& out) {
    if (value.HasMember("config")) out.config = json_of(value["config"]);
    visit_plugin(out, Reader{value});
  }
  static void read(const Value& value, AllowGroup<WorkerLimits>& out) {
    if (value.IsObject()) return visit_allow(out, Reader{value});
    for (const auto& word : value.GetArray()) {
      if (text_of(word) == "network") out.worker.network = true;
      if (text_of(word) == "processes") out.worker.processes = true;
    }
  }
  static void read(const Value& value, SecretRef& out) {
    const Reader source{value};
    source("env", out.environment);
    source("file", out.file);
  }
};

std::string sentences(std::vector<schema::Error> errors, const Located& located,
                      const std::string& file) {
  for (auto& error : errors) {
    if (error.pointer == "/listen") error.message += ". Give HOST:PORT such as \"127.0.0.1:8765\".";
  }
  return located_sentences(errors, located, file, "configuration");
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
  auto url = canonical_public_url(settings.http.public_url);
  if (!url) {
    return Status::invalid(file + ":" + std::to_string(located->line_of("/http/public_url")) +
                           ": " + url.message());
  }
  settings.http.public_url = std::move(*url);
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
  const auto is_port = [](char c) { return c >= '0' && c <= '9'; };
  if (!listen.empty() && std::all_of(listen.begin(), listen.end(), is_port)) {
    return parse_address("127.0.0.1:" + std::string(listen));
  }
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
