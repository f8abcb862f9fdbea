// host/config/settings.hpp: everything an operator can set, with its defaults.
//
// The groups are the structs that the parts of the host work with, so a key, its member and its
// default stand in one header each. Values; read once before serving.
//
// A visitor calls visit(name, member) for every key of a group, in the order of the schema; groups
// within groups come as members too. visit.word(name, member, words) is for a member whose values
// are written as words, visit.places(name, member) for a number whose 0 is written "unlimited".
// Reading and printing both follow the visitors, the one list of keys.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "host/config/discovery.hpp"
#include "host/config/http_settings.hpp"
#include "host/config/limit_settings.hpp"
#include "host/config/observe_settings.hpp"
#include "host/config/plugin_settings.hpp"
#include "host/config/trust_settings.hpp"

namespace gantry::host {

// One member for each key at the top of the configuration, so it has more than twelve.
struct Settings {
  std::string listen = "127.0.0.1:8765";
  bool stdio = false;
  std::string builtin_plugins;  // empty = beside the program; "none"
  std::vector<std::string> plugin_directories, plugin_files, overrides;
  std::string agents;   // the agents file; empty = the one agent is local
  std::string agent;    // profile of a client without a credential; empty = none, or local
  std::string state;    // empty = the user's state directory
  std::string control;  // empty = one of its own in the user's runtime directory; "none"
  bool remote_admin = false;
  std::optional<bool> console;  // nothing: where only this machine reaches the server
  std::string log_level = "info", log_format = "text";
  std::string instructions;
  Discovery discovery = Discovery::automatic;
  std::chrono::milliseconds shutdown_grace{10'000};
  SettingsByName plugins;
  TrustSettings trust;
  HttpSettings http;
  LimitSettings limits;
  AuditSettings audit;
  TraceSettings traces;
};

template <class S, class Visit>
void visit_settings(S& s, Visit&& visit) {
  visit("listen", s.listen);
  visit("stdio", s.stdio);
  visit("builtin_plugins", s.builtin_plugins);
  visit("plugin_directories", s.plugin_directories);
  visit("plugin_files", s.plugin_files);
  visit("overrides", s.overrides);
  visit("agents", s.agents);
  visit("agent", s.agent);
  visit("state", s.state);
  visit("control", s.control);
  visit("remote_admin", s.remote_admin);
  visit("console", s.console);
  visit("log_level", s.log_level);
  visit("log_format", s.log_format);
  visit("instructions", s.instructions);
  visit.word("discovery", s.discovery, kDiscoveryWords);
  visit("strict_arguments", s.limits.calls.strict_arguments);
  visit("shutdown_grace_ms", s.shutdown_grace);
  visit("plugins", s.plugins);
  visit("trust", s.trust);
  visit("http", s.http);
  visit("limits", s.limits);
  visit("audit", s.audit);
  visit("traces", s.traces);
}

}  // namespace gantry::host
