#include "host/rpc/admin/state_json.hpp"

#include <string_view>

#include "host/base/json.hpp"

namespace gantry::host::rpc {
namespace {

void put(std::string& out, std::string_view key, std::string_view text) {
  if (!text.empty()) append_text_member(out, key, text);
}

void put(std::string& out, std::string_view key, std::uint64_t number) {
  if (number != 0) append_json_member(out, key, std::to_string(number));
}

void put_object(std::string& out, std::string_view key, std::string_view json) {
  append_json_member(out, key, json.empty() ? "{}" : json);
}

std::uint64_t count(int number) { return number > 0 ? static_cast<std::uint64_t>(number) : 0; }

// Without the closing brace.
std::string open_state(const PluginState& state) {
  std::string out = "{";
  append_text_member(out, "name", state.name);
  put(out, "version", state.version);
  append_json_member(out, "generation", std::to_string(state.generation));
  put(out, "state", state.state);
  put(out, "isolation", state.in_worker ? "process" : "in-process");
  put(out, "file", state.file);
  put(out, "sha256", state.sha256);
  append_json_member(out, "builtin", state.builtin ? "true" : "false");
  put(out, "reason", state.reason);
  put(out, "last_failure", state.last_failure);
  put(out, "pid", count(state.pid));
  put(out, "restarts", state.restarts);
  put(out, "draining", count(state.draining));
  put(out, "stuck", count(state.stuck));
  put(out, "abandoned_calls", count(state.abandoned_calls));
  return out;
}

}  // namespace

std::string state_json(const PluginState& state) { return open_state(state) + "}"; }

std::string states_json(const std::vector<PluginState>& states) {
  std::string out = "{\"plugins\":[";
  for (const PluginState& state : states) {
    if (!out.ends_with('[')) out += ',';
    out += state_json(state);
  }
  return out + "]}";
}

std::string info_json(const PluginInfo& info) {
  std::string out = open_state(info.state);
  put_object(out, "manifest", info.manifest);
  put_object(out, "offer", info.offer);
  put_object(out, "settings", info.settings);
  out += '}';
  put_on_one_line(out);
  return out;
}

}  // namespace gantry::host::rpc
