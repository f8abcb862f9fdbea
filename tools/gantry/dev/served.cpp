#include "tools/gantry/dev/served.hpp"

#include <fstream>
#include <iterator>
#include <system_error>

#include <rapidjson/document.h>

#include "tools/gantry/plugin/states.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace fs = std::filesystem;

Served::Served(HostChoice host, fs::path directory)
    : host_(std::move(host)), directory_(std::move(directory)) {}

Served::~Served() {
  if (!name_.empty()) {
    if (auto host = find_host(host_); host) {
      [[maybe_unused]] const auto gone = (*host)->ask("plugin.unload", object({{"name", name_}}));
    }
  }
  std::error_code error;
  fs::remove_all(directory_, error);
}

// Writes a new file and renames it, so that the host never reads a partial one.
Status Served::copy(const fs::path& library, bool& changed) {
  std::ifstream in(library, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in) return Status::failed("cannot read " + library.string());
  changed = bytes != bytes_;
  if (!changed) return {};
  std::error_code error;
  fs::create_directories(directory_, error);
  fs::permissions(directory_, fs::perms::owner_all, error);
  file_ = directory_ / library.filename();
  const fs::path aside = directory_ / (library.filename().string() + ".new");
  std::ofstream out(aside, std::ios::binary);
  out << bytes;
  out.close();
  if (out) fs::rename(aside, file_, error);
  if (!out || error) return Status::failed("cannot write " + file_.string());
  bytes_ = std::move(bytes);
  return {};
}

Result<std::string> Served::give() {
  auto host = find_host(host_);
  if (!host) return host.status();
  const bool known = !name_.empty();
  return (*host)->ask(known ? "plugin.reload" : "plugin.load",
                      known ? object({{"name", name_}}) : object({{"file", file_.string()}}));
}

Result<std::string> Served::swap(const fs::path& library) {
  bool changed = false;
  if (Status status = copy(library, changed); !status) return status;
  if (!changed) return "nothing changed in " + library.filename().string() + "; " + standing();
  const auto answer = give();
  if (!answer) {
    bytes_.clear();  // the same file may be given again
    return Status(answer.status().code(), answer.message() + "; " + standing());
  }
  const auto names = names_of(parsed(*answer));
  if (name_.empty() && names.size() == 1) name_ = names.front();
  return standing();
}

std::string Served::standing() {
  auto host = name_.empty() ? Result<std::unique_ptr<Host>>(Status::failed("")) : find_host(host_);
  if (!host) return "nothing serves";
  const auto answer = (*host)->ask("plugin.info", object({{"name", name_}}));
  if (!answer) return "nothing serves";
  const auto state = parsed(*answer);
  const std::string what = text_at(state, "state"), note = remarks(state);
  return name_ + " " + text_at(state, "version") + ", generation " +
         std::to_string(number_at(state, "generation")) + ", " + what +
         (note.empty() ? "" : ": " + note);
}

}  // namespace gantry::cli
