#include "host/rpc/admin/settings_methods.hpp"

#include <rapidjson/document.h>

#include "host/auth/digest.hpp"
#include "host/base/json.hpp"
#include "host/config/changes.hpp"
#include "host/config/read.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {
namespace {

using Value = rapidjson::Value;

std::string fingerprint(std::string_view text) {
  return json_string("sha256:" + fingerprint_of(text));
}

// A plugin's configuration may hold passwords anywhere, also inside a URL.
std::string shown(const std::string& key, const Value& value) {
  const bool is_simple = value.IsNumber() || value.IsBool() || value.IsNull();
  const bool may_be_secret =
      key == "http.require_header" ||
      (key.starts_with("plugins.") && key.find(".config.") != std::string::npos);
  const bool is_empty = value.IsString() && value.GetStringLength() == 0;
  if (is_simple || is_empty || !may_be_secret) return json_of(value);
  return fingerprint(json_of(value));
}

bool is_switch(const std::string& value) {
  for (const char* word : {"", "0", "1", "true", "false", "yes", "no", "on", "off"}) {
    if (value == word) return true;
  }
  return false;
}

struct Row {
  std::string key, value;
};

// Groups are taken apart; arrays, and objects without members, are values.
void collect(const std::string& prefix, const Value& object, std::vector<Row>& out) {
  for (const auto& member : object.GetObject()) {
    const std::string key = prefix + member.name.GetString();
    if (member.value.IsObject() && !member.value.ObjectEmpty()) {
      collect(key + ".", member.value, out);
    } else {
      out.push_back({key, shown(key, member.value)});
    }
  }
}

std::vector<Row> rows_of(const Settings& settings) {
  rapidjson::Document document;
  document.Parse(print_settings(settings).c_str());
  std::vector<Row> out;
  collect("", document, out);
  return out;
}

const Row* find(const std::vector<Row>& rows, const std::string& key) {
  for (const Row& row : rows) {
    if (row.key == key) return &row;
  }
  return nullptr;
}

// Whether the row is as in `rows`.
bool is_in(const std::vector<Row>& rows, const Row& row) {
  const Row* const found = find(rows, row.key);
  return found != nullptr && found->value == row.value;
}

void append_row(std::string& out, const Row& row, std::string_view source, bool restart) {
  out += out.ends_with('[') ? "{" : ",{";
  append_text_member(out, "key", row.key);
  append_json_member(out, "value", row.value);
  append_text_member(out, "source", source);
  append_json_member(out, "restart", restart ? "true" : "false");
  out += '}';
}

std::string settings_json(const SettingsFacts& facts) {
  const auto defaults = rows_of(Settings());
  auto file = defaults;
  if (!facts.config_file.empty()) {
    if (const auto read = read_settings_file(facts.config_file)) file = rows_of(*read);
  }
  std::string out = "{\"settings\":[";
  for (const Row& row : rows_of(facts.now())) {
    const std::string_view source = !is_in(file, row)      ? "flag"
                                    : is_in(defaults, row) ? "default"
                                                           : "file";
    append_row(out, row, source, !is_live(row.key));
  }
  for (const auto& [name, value] : facts.environment) {
    append_row(out, {name, is_switch(value) ? json_string(value) : fingerprint(value)}, "env",
               true);
  }
  out += ']';
  if (!facts.config_file.empty()) append_text_member(out, "config_file", facts.config_file);
  out += '}';
  put_on_one_line(out);
  return out;
}

}  // namespace

AdminMethods settings_methods(const SettingsFacts& facts) {
  return {{.name = "settings.show",
           .pace = AdminMethod::Pace::blocks,
           .run = [facts](const AdminParams&, const AdminCaller&) -> Result<std::string> {
             return settings_json(facts);
           }}};
}

}  // namespace gantry::host::rpc
