// host/loader/disabled_plugins.hpp: the plugins that an operator disabled; outlives the host.
//
// A small JSON file, {"disabled": ["name", …]}, replaced as a whole. Control thread.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include <gantry/result.hpp>

#include "host/plugin/log_sink.hpp"

namespace gantry::host {

class DisabledPlugins {
 public:
  // A file that cannot be used is reported and taken for empty. Without a path nothing is written.
  DisabledPlugins(std::filesystem::path file, const LogSink& log);

  bool is_disabled(std::string_view name) const { return disabled_.contains(name); }
  // In effect even when it cannot be written, which the Status says.
  Status disable(std::string_view name);
  Status enable(std::string_view name);

 private:
  Status save() const;

  std::filesystem::path file_;
  std::set<std::string, std::less<>> disabled_;
};

}  // namespace gantry::host
