// host/watch/watch_plan.hpp: the directories to watch so that no change of some paths is missed,
// and the stamps of their files now.
//
// Every directory and symbolic link on the way to a path is watched: a link may be changed, a
// directory replaced or made later. Pure functions of the file system; any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::host {

// True for the name of an entry of a tree that is ignored, with all entries below it.
using LeftOut = bool (*)(std::string_view name);

// The entries of one directory whose events matter.
struct DirectoryInterest {
  std::set<std::string, std::less<>> ways;   // directories and links on the way to a path
  std::set<std::string, std::less<>> files;  // entries whose content matters, too
  bool plugins = false;                      // every plugin_file_name() in it
  LeftOut tree = nullptr;                    // set: every entry but those it leaves out

  bool has_content() const { return plugins || tree || !files.empty(); }
  bool includes(std::string_view name) const;
  void merge(const DirectoryInterest& other);
};

struct WatchPlan {
  // By canonical path, without links.
  std::map<std::string, DirectoryInterest> directories;
  // The stamp of each file, by the name it is reached by: device, inode, size and times.
  std::map<std::string, std::string> files;
};

// Ends in ".so" and does not begin with a dot.
bool is_plugin_file_name(std::string_view name);

// `paths` are absolute: directories, or single files of any name. A path that does not exist may
// become either. Without `tree` a directory is one of plugins; with it the root of a tree, every
// directory and file of which matters but those it leaves out. A directory that may not be read is
// left out.
WatchPlan make_watch_plan(const std::vector<std::filesystem::path>& paths, LeftOut tree = nullptr);

}  // namespace gantry::host
