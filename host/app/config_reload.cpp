#include "host/app/config_reload.hpp"

#include <utility>

#include "host/config/changes.hpp"

namespace gantry::host {
namespace {

std::string joined(const std::vector<std::string>& keys) {
  std::string out;
  for (const std::string& key : keys) out += (out.empty() ? "" : ", ") + key;
  return out;
}

std::vector<std::filesystem::path> paths_of(const std::string& file) {
  return file.empty() ? std::vector<std::filesystem::path>()
                      : std::vector<std::filesystem::path>{file};
}

}  // namespace

ConfigReload::ConfigReload(const CommandLine& line, int hangup, std::function<CommandLine()> read,
                           std::function<Status(const Settings&)> apply, Log& log)
    : now_(line.settings),
      file_(line.config_file),
      read_(std::move(read)),
      apply_(std::move(apply)),
      log_(log),
      watcher_([this] { reread(); }, {.also = hangup}) {
  watcher_.watch(paths_of(file_));
}

// Once for each fault, however often the file is touched.
void ConfigReload::refuse(const std::string& reason) {
  if (reason == reported_) return;
  reported_ = reason;
  log_.write(Level::error, "the configuration is not taken over; the old one stays",
             {{"file", file_}, {"reason", reason}});
}

void ConfigReload::reread() {
  const bool first = std::exchange(first_, false);
  const CommandLine line = read_();
  if (line.action == CommandLine::Action::leave) return refuse(line.errors);
  std::vector<std::string> live, later;
  for (std::string& key : changed_keys(now_, line.settings)) {
    (is_live(key) ? live : later).push_back(std::move(key));
  }
  if (first && live.empty() && later.empty()) return;
  if (!live.empty()) {
    if (const Status status = take_over(line.settings); !status) return refuse(status.message());
  }
  reported_.clear();
  log_.write(Level::info, "configuration read again", {{"file", file_}, {"changed", joined(live)}});
  if (later.empty()) return;
  log_.write(Level::warn, "changes of the configuration that need a restart",
             {{"keys", joined(later)}});
}

// Settings that need a restart keep their old value here, so that they are reported while they
// differ.
Status ConfigReload::take_over(const Settings& next) {
  Settings then = now_;
  then.plugins = next.plugins;
  then.plugin_directories = next.plugin_directories;
  then.plugin_files = next.plugin_files;
  then.overrides = next.overrides;
  then.trust = next.trust;
  const Status status = apply_(then);
  if (status) now_ = std::move(then);
  return status;
}

}  // namespace gantry::host
