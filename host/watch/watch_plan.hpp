// host/watch/watch_plan.hpp: which directories must be watched so that no change of some
// paths goes unseen, and how the paths stand at this moment.
//
// A path is seen through every directory and symbolic link on its way: a link that is turned, a
// directory that is replaced or that comes later. Pure functions of the file system; any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::host {

// What matters in one directory.
struct DirectoryInterest {
  std::set<std::string, std::less<>> ways;   // entries that lead on: directories and links
  std::set<std::string, std::less<>> files;  // entries whose content matters too
  bool plugins = false;                      // every plugin_file_name() in it

  bool has_content() const { return plugins || !files.empty(); }
  bool includes(std::string_view name) const;
  void merge(const DirectoryInterest& other);
};

struct WatchPlan {
  // By physical path: no link in it.
  std::map<std::string, DirectoryInterest> directories;
  // Each file that was found, by the name it is reached by, with what changes when it is replaced
  // or written: device, inode, size and times.
  std::map<std::string, std::string> files;
};

// Ends in ".so" and does not begin with a dot.
bool is_plugin_file_name(std::string_view name);

// `paths` are absolute: directories of plugins, or single files of any name; what is not there yet
// may become either. A directory without permission to read it is left out.
WatchPlan make_watch_plan(const std::vector<std::filesystem::path>& paths);

}  // namespace gantry::host
