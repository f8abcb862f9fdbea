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

  void print(const std::string& text) const {
    out.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  }
  void print(bool value) const { out.Bool(value); }
  void print(std::int64_t value) const { out.Int64(value); }
  void print(const std::optional<std::int64_t>& value) const {
    value ? out.Int64(*value) : out.String("unlimited");
  }
  void print(const std::vector<std::string>& texts) const {
    out.StartArray();
    for (const auto& text : texts) print(text);
    out.EndArray();
  }
  void print(const HttpSettings& http) const {
    out.StartObject();
    visit_http(http, *this);
    out.EndObject();
  }
  void print(const LimitSettings& limits) const {
    out.StartObject();
    visit_limits(limits, *this);
    out.EndObject();
  }
  void print(const TrustSection& trust) const {
    out.StartObject();
    visit_trust(trust, *this);
    out.EndObject();
  }
  void print(const FilesSection& files) const {
    out.StartObject();
    visit_files(files, *this);
    out.EndObject();
  }
  void print(const AllowSection& allow) const {
    out.StartObject();
    visit_allow(allow, *this);
    out.EndObject();
  }
  void print(const WorkerSection& worker) const {
    out.StartObject();
    visit_worker(worker, *this);
    out.EndObject();
  }
  void print(const SecretSource& source) const {
    out.StartObject();
    source.env.empty() ? (*this)("file", source.file) : (*this)("env", source.env);
    out.EndObject();
  }
  void print(const PluginSection& plugin) const {
    rapidjson::Document config;
    config.Parse(plugin.config.data(), plugin.config.size());
    out.StartObject();
    out.Key("config");
    config.Accept(out);
    visit_plugin(plugin, *this);
    out.EndObject();
  }
  template <class T>
  void print(const std::map<std::string, T>& entries) const {
    out.StartObject();
    for (const auto& [name, entry] : entries) (*this)(name.c_str(), entry);
    out.EndObject();
  }
};

}  // namespace

std::string print_settings(const Settings& settings) {
  rapidjson::StringBuffer buffer;
  Output out(buffer);
  out.SetIndent(' ', 2);
  out.StartObject();
  visit_settings(settings, Printer{out});
  out.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace gantry::host
