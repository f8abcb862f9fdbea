#include "host/loader/sources.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

namespace gantry::host {
namespace {

namespace fs = std::filesystem;

bool is_plugin_file(const fs::path& file) {
  const std::string name = file.filename().string();
  return file.extension() == ".so" && !name.starts_with('.');
}

void list_directory(const PluginSource& source, const Trust* trust, std::vector<FoundFile>& found) {
  if (trust) {
    if (const Status s = trust->check_directory(source.path, source.builtin); !s) {
      found.push_back({source.path, source.builtin, s.message(), true});
      return;
    }
  }
  std::error_code error;
  std::vector<fs::path> files;
  fs::directory_iterator entry(source.path, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (is_plugin_file(entry->path())) files.push_back(entry->path());
  }
  if (error) {
    found.push_back(
        {source.path, source.builtin, "the directory cannot be read: " + error.message(), true});
  }
  std::sort(files.begin(), files.end());
  for (fs::path& file : files) found.push_back({std::move(file), source.builtin, {}, false});
}

}  // namespace

std::vector<FoundFile> find_files(const std::vector<PluginSource>& sources, const Trust* trust) {
  std::vector<FoundFile> found;
  for (const PluginSource& source : sources) {
    std::error_code error;
    if (fs::is_directory(source.path, error)) {
      list_directory(source, trust, found);
    } else if (fs::exists(source.path, error)) {
      found.push_back({source.path, source.builtin, {}, false});
    } else {
      found.push_back({source.path, source.builtin,
                       "there is no such file or directory; correct the path", false});
    }
  }
  std::set<fs::path> seen;
  std::vector<FoundFile> once;
  for (FoundFile& file : found) {
    std::error_code error;
    const fs::path canonical = fs::canonical(file.file, error);
    if (!error && !seen.insert(canonical).second) continue;
    once.push_back(std::move(file));
  }
  return once;
}

}  // namespace gantry::host
