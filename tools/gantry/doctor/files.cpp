// Checks of files that the configuration names.
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <rapidjson/document.h>

#include "host/auth/agents/agents_file.hpp"
#include "tools/gantry/doctor/checks.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli::doctor {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::size_t kWriteVersion = 18;  // of the header: 2 is WAL

fs::path found_in(const std::string& directory, const std::string& path) {
  return directory.empty() ? fs::path(path) : fs::path(directory) / path;
}

// Calls `use` with each value of plugins.*.config.KEY.
template <class Use>
void each_setting(const rapidjson::Value& configuration, const char* key, Use use) {
  const auto& plugins = member(configuration, "plugins");
  if (!plugins.IsObject()) return;
  for (const auto& plugin : plugins.GetObject()) {
    const std::string value = text_at(member(plugin.value, "config"), key);
    if (!value.empty()) use(value);
  }
}

bool is_readonly_mount(const fs::path& file) {
  struct statvfs mount {};
  return ::statvfs(file.c_str(), &mount) == 0 && (mount.f_flag & ST_RDONLY) != 0;
}

std::string size_of(const fs::path& file) {
  std::error_code error;
  const auto bytes = fs::file_size(file, error);
  return error ? "unknown size" : std::to_string((bytes + 1023) / 1024) + " KiB";
}

// A file in WAL mode whose directory this user cannot write needs its -shm file, or no changes.
void check_wal(const fs::path& file, const std::string& fact, Findings& out) {
  std::error_code error;
  const fs::path wal = file.string() + "-wal", shm = file.string() + "-shm";
  const bool is_pending = fs::file_size(wal, error) > 0 && !error;
  const fs::path directory = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const bool can_share = ::access(shm.c_str(), R_OK) == 0 || ::access(directory.c_str(), W_OK) == 0;
  if (can_share) {
    out.push_back({Verdict::ok, "database", fact + ", WAL mode"});
  } else if (!is_pending) {
    out.push_back({Verdict::ok, "database",
                   fact + ", WAL mode without changes, in a directory that is read-only here"});
  } else {
    out.push_back({Verdict::fail, "database",
                   fact + ", WAL mode with changes that cannot be read without " + shm.string(),
                   "let this user write to " + directory.string() +
                       ", or run PRAGMA wal_checkpoint(TRUNCATE) with the program that owns it"});
  }
}

void check_sqlite_file(const fs::path& file, Findings& out) {
  std::error_code error;
  if (!fs::exists(file, error)) {
    out.push_back({Verdict::fail, "database", file.string() + " does not exist",
                   "correct --db, or make it: gantry import --help"});
    return;
  }
  if (fs::is_directory(file, error)) {
    out.push_back({Verdict::fail, "database",
                   file.string() + " is a directory, not a database file",
                   "name a file in it with --db"});
    return;
  }
  std::array<char, 100> header{};
  std::ifstream in(file, std::ios::binary);
  if (!in || ::access(file.c_str(), R_OK) != 0) {
    out.push_back({Verdict::fail, "database", file.string() + " cannot be read by this user",
                   "give the user of gantryd the right to read it"});
    return;
  }
  in.read(header.data(), header.size());
  if (in.gcount() == 0) {
    out.push_back(
        {Verdict::warn, "database", file.string() + " is empty", "fill it: gantry import"});
    return;
  }
  if (std::string_view(header.data(), kMagic.size()) != kMagic) {
    out.push_back({Verdict::fail, "database", file.string() + " is no SQLite database",
                   "name a SQLite file with --db"});
    return;
  }
  const std::string fact = file.string() + ", " + size_of(file) +
                           (is_readonly_mount(file) ? ", on a read-only mount" : "");
  if (header[kWriteVersion] == 2) return check_wal(file, fact, out);
  out.push_back({Verdict::ok, "database", fact + ", rollback journal"});
}

}  // namespace

void check_agents_file(const rapidjson::Value& configuration, const std::string& directory,
                       Findings& out) {
  const std::string path = text_at(configuration, "agents");
  if (path.empty()) {
    out.push_back({Verdict::ok, "agents", "no agents file: the one agent is local, read-only"});
    return;
  }
  const auto file = host::read_agents_file(found_in(directory, path));
  if (!file) {
    out.push_back({Verdict::fail, "agents", file.message(), "correct the agents file"});
    return;
  }
  out.push_back(
      {Verdict::ok, "agents",
       path + ", " + std::to_string(file->agents.size()) + " profiles: " + file->names()});
}

void check_database_files(const rapidjson::Value& configuration, const std::string& directory,
                          Findings& out) {
  bool is_named = false;
  each_setting(configuration, "database", [&](const std::string& url) {
    is_named = true;
    if (url.starts_with("sqlite:"))
      return check_sqlite_file(found_in(directory, url.substr(7)), out);
    if (url.find("://") == url.npos) return check_sqlite_file(found_in(directory, url), out);
    out.push_back({Verdict::ok, "database", "a server; the plugins' lines say whether it answers"});
  });
  if (is_named) return;
  out.push_back({Verdict::warn, "database", "none is configured, so no tool reads data",
                 "name one: gantry doctor --db FILE, gantryd --db FILE"});
}

void check_models(const rapidjson::Value& configuration, const std::string& directory,
                  Findings& out) {
  bool is_named = false;
  each_setting(configuration, "model", [&](const std::string& path) {
    is_named = true;
    std::error_code error;
    std::size_t files = 0;
    for (fs::directory_iterator it(found_in(directory, path), error), end; !error && it != end;
         it.increment(error)) {
      if (it->path().extension() == ".json") ++files;
    }
    if (error) {
      out.push_back({Verdict::fail, "model", path + " cannot be read: " + error.message(),
                     "correct --model, or write one: gantry model draft"});
    } else if (files == 0) {
      out.push_back({Verdict::warn, "model", path + " holds no *.json file",
                     "write a first model: gantry model draft"});
    } else {
      out.push_back({Verdict::ok, "model", path + ", " + std::to_string(files) + " files"});
    }
  });
  if (is_named) return;
  out.push_back({Verdict::ok, "model", "none: every class is shown without descriptions"});
}

}  // namespace gantry::cli::doctor
