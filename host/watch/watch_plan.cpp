#include "host/watch/watch_plan.hpp"

#include <sys/stat.h>

#include <deque>
#include <optional>
#include <system_error>

namespace gantry::host {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40;  // the kernel's limit of symbolic links in a path

std::string stamp_of(const struct stat& found) {
  const auto time = [](const timespec& at) {
    return std::to_string(at.tv_sec) + '.' + std::to_string(at.tv_nsec);
  };
  return std::to_string(found.st_dev) + ' ' + std::to_string(found.st_ino) + ' ' +
         std::to_string(found.st_size) + ' ' + time(found.st_mtim) + ' ' + time(found.st_ctim);
}

class Maker {
 public:
  Maker(WatchPlan& plan, LeftOut tree) : plan_(plan), tree_(tree) {}

  void add(const fs::path& path) {
    const auto physical = walk(path);
    struct stat found {};
    if (!physical || ::stat(physical->c_str(), &found) != 0) return;
    if (!S_ISDIR(found.st_mode)) {
      plan_.files[path.string()] = stamp_of(found);
      return;
    }
    if (tree_) return add_tree(path, *physical);
    plan_.directories[physical->string()].plugins = true;
    add_entries(path, *physical);
  }

 private:
  void add_entries(const fs::path& named, const fs::path& directory) {
    std::error_code error;
    for (fs::directory_iterator at(directory, error), end; !error && at != end;
         at.increment(error)) {
      const std::string name = at->path().filename().string();
      if (!is_plugin_file_name(name)) continue;
      struct stat found {};
      if (at->is_symlink(error)) walk(at->path());
      if (::stat(at->path().c_str(), &found) != 0) continue;
      plan_.files[(named / name).string()] = stamp_of(found);
    }
  }

  void add_tree(const fs::path& named, const fs::path& directory) {
    plan_.directories[directory.string()].tree = tree_;
    std::error_code error;
    for (fs::directory_iterator at(directory, error), end; !error && at != end;
         at.increment(error)) {
      const std::string name = at->path().filename().string();
      if (tree_(name)) continue;
      struct stat found {};
      std::error_code gone;
      if (at->symlink_status(gone).type() == fs::file_type::directory) {
        add_tree(named / name, at->path());
      } else if (::stat(at->path().c_str(), &found) == 0) {
        plan_.files[(named / name).string()] = stamp_of(found);
      }
    }
  }

  // Follows the path entry by entry and notes each one. Returns the end of the path; nothing if an
  // entry is missing.
  std::optional<fs::path> walk(const fs::path& path) {
    std::deque<std::string> rest;
    push_front(rest, path.relative_path());
    fs::path at = "/";
    for (int links = 0; !rest.empty();) {
      const std::string name = std::move(rest.front());
      rest.pop_front();
      if (name == "..") {
        at = at.parent_path();
        continue;
      }
      const fs::path next = at / name;
      std::error_code error;
      const fs::file_type type = fs::symlink_status(next, error).type();
      note(at, name, type, rest.empty());
      if (type == fs::file_type::symlink) {
        const fs::path target = fs::read_symlink(next, error);
        if (error || ++links > kMaxLinks) return std::nullopt;
        if (target.is_absolute()) at = "/";
        push_front(rest, target.relative_path());
        continue;
      }
      if (type == fs::file_type::not_found || type == fs::file_type::none) return std::nullopt;
      at = next;
    }
    return at;
  }

  static void push_front(std::deque<std::string>& rest, const fs::path& path) {
    std::vector<std::string> parts;
    for (const fs::path& part : path) {
      if (!part.empty() && part != ".") parts.push_back(part.string());
    }
    rest.insert(rest.begin(), parts.begin(), parts.end());
  }

  void note(const fs::path& directory, const std::string& name, fs::file_type type, bool last) {
    DirectoryInterest& interest = plan_.directories[directory.string()];
    const bool leads_on = type == fs::file_type::directory || type == fs::file_type::symlink;
    (last && !leads_on ? interest.files : interest.ways).insert(name);
  }

  WatchPlan& plan_;
  const LeftOut tree_;
};

}  // namespace

bool DirectoryInterest::includes(std::string_view name) const {
  return (plugins && is_plugin_file_name(name)) || (tree && !tree(name)) || ways.contains(name) ||
         files.contains(name);
}

void DirectoryInterest::merge(const DirectoryInterest& other) {
  ways.insert(other.ways.begin(), other.ways.end());
  files.insert(other.files.begin(), other.files.end());
  plugins = plugins || other.plugins;
  if (other.tree) tree = other.tree;
}

bool is_plugin_file_name(std::string_view name) {
  return name.size() > 3 && name.front() != '.' && name.ends_with(".so");
}

WatchPlan make_watch_plan(const std::vector<fs::path>& paths, LeftOut tree) {
  WatchPlan plan;
  Maker maker(plan, tree);
  for (const fs::path& path : paths) maker.add(path);
  return plan;
}

}  // namespace gantry::host
