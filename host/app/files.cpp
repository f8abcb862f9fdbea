#include "host/app/files.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

#include "host/app/paths.hpp"
#include "host/control/paths.hpp"
#include "host/loader/grants.hpp"

namespace gantry::host {
namespace {

namespace fs = std::filesystem;

// The path that a member names, without a scheme, as a worker may be granted it; empty: none.
fs::path path_in(const rapidjson::Value& config, const char* name) {
  const auto found = config.FindMember(name);
  if (found == config.MemberEnd() || !found->value.IsString()) return {};
  std::string_view text{found->value.GetString(), found->value.GetStringLength()};
  constexpr std::string_view kScheme = "sqlite:";
  if (text.starts_with(kScheme)) text.remove_prefix(kScheme.size());
  std::error_code error;
  return fs::canonical(text, error);
}

void add(const fs::path& path, std::vector<std::string>& paths) {
  if (!path.empty()) paths.push_back(path.string());
}

void add_database(const fs::path& file, const std::vector<fs::path>& closed, FilesSection& files) {
  if (file.empty()) return;
  if (is_open(file.parent_path(), closed)) return add(file.parent_path(), files.read);
  for (const char* end : {"", "-wal", "-shm", "-journal"}) {
    std::error_code error;
    const fs::path part = file.string() + end;
    if (fs::exists(part, error)) add(part, files.read);
  }
}

}  // namespace

std::vector<fs::path> closed_paths(const Settings& settings, const fs::path& state) {
  std::vector<fs::path> out{state};
  if (settings.control == "none") return out;
  out.push_back(settings.control.empty() ? control::runtime_directory()
                                         : fs::absolute(settings.control).parent_path());
  return out;
}

void grant_data_files(const rapidjson::Value& config, const std::vector<fs::path>& closed,
                      FilesSection& files) {
  add_database(path_in(config, "database"), closed, files);
  add(path_in(config, "model"), files.read);
  const auto exports = config.FindMember("exports");
  if (exports == config.MemberEnd() || !exports->value.IsString()) return;
  static_cast<void>(make_private_directory(exports->value.GetString()));
  add(path_in(config, "exports"), files.write);
}

}  // namespace gantry::host
