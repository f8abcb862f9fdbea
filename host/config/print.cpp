#include <concepts>
#include <type_traits>

#include <rapidjson/document.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include "host/config/read.hpp"

namespace gantry::host {
namespace {

using Output = rapidjson::PrettyWriter<rapidjson::StringBuffer>;

struct Printer {
  Output& out;

  template <class T>
  void operator()(const char* name, const T& value) const {
    out.Key(name);
    print(value);
  }

  template <class T, class Words>
  void word(const char* name, const T& value, const Words& words) const {
    for (const auto& [text, known] : words) {
      if (known == value) (*this)(name, std::string(text));
    }
  }
  void places(const char* name, int value) const {
    value == 0 ? (*this)(name, std::string("unlimited")) : (*this)(name, value);
  }

  void print(const std::string& text) const {
    out.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  }
  void print(const std::filesystem::path& path) const { print(path.string()); }
  void print(bool value) const { out.Bool(value); }
  void print(const std::optional<bool>& value) const { value ? out.Bool(*value) : out.Null(); }
  void print(double value) const { out.Double(value); }
  void print(std::integral auto value) const {
    if constexpr (std::is_signed_v<decltype(value)>) {
      out.Int64(value);
    } else {
      out.Uint64(value);
    }
  }
  template <class Rep, class Period>
  void print(const std::chrono::duration<Rep, Period>& time) const {
    print(time.count());
  }
  template <class T>
  void print(const std::vector<T>& values) const {
    out.StartArray();
    for (const T& value : values) print(value);
    out.EndArray();
  }
  template <class T>
  void print(const std::map<std::string, T, std::less<>>& entries) const {
    object([&] {
      for (const auto& [name, entry] : entries) (*this)(name.c_str(), entry);
    });
  }
  void print(const HttpSettings& http) const {
    object([&] { visit_http(http, *this); });
  }
  void print(const LimitSettings& limits) const {
    object([&] { visit_limits(limits, *this); });
  }
  void print(const AuditSettings& audit) const {
    object([&] { visit_audit(audit, *this); });
  }
  void print(const TraceSettings& traces) const {
    object([&] { visit_traces(traces, *this); });
  }
  void print(const TrustSettings& trust) const {
    object([&] { visit_trust(trust, *this); });
  }
  void print(const FileGrants& files) const {
    object([&] { visit_files(files, *this); });
  }
  void print(const AllowGroup<const WorkerLimits>& allow) const {
    object([&] { visit_allow(allow, *this); });
  }
  void print(const WorkerLimits& worker) const {
    object([&] { visit_worker(worker, *this); });
  }
  void print(const SecretRef& secret) const {
    object([&] {
      secret.environment.empty() ? (*this)("file", secret.file)
                                 : (*this)("env", secret.environment);
    });
  }
  void print(const PluginSettings& plugin) const {
    rapidjson::Document config;
    config.Parse(plugin.config.data(), plugin.config.size());
    object([&] {
      out.Key("config");
      config.Accept(out);
      visit_plugin(plugin, *this);
    });
  }

  template <class Members>
  void object(Members&& members) const {
    out.StartObject();
    members();
    out.EndObject();
  }
};

}  // namespace

std::string print_settings(const Settings& settings) {
  rapidjson::StringBuffer buffer;
  Output out(buffer);
  out.SetIndent(' ', 2);
  const Printer printer{out};
  printer.object([&] { visit_settings(settings, printer); });
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace gantry::host
