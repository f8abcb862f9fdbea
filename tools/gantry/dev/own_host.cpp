#include "tools/gantry/dev/own_host.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "tools/gantry/project/sdk.hpp"

namespace gantry::cli {
namespace {

constexpr std::chrono::seconds kReady{30};
constexpr std::string_view kLine = "gantryd ready ";

}  // namespace

Result<std::unique_ptr<OwnHost>> OwnHost::start(const std::string& listen,
                                                const std::vector<std::string>& flags,
                                                const Stop& stop, const std::string& log_level) {
  char directory[] = "/tmp/gantry-own-XXXXXX";
  if (::mkdtemp(directory) == nullptr) return Status::failed("cannot make a folder in /tmp");
  std::unique_ptr<OwnHost> out(new OwnHost(directory));
  std::vector<std::string> command{program_directory() + "/gantryd",
                                   "--listen",
                                   listen,
                                   "--control",
                                   out->control(),
                                   "--state",
                                   std::string(directory) + "/state",
                                   "--log-level",
                                   log_level};
  command.insert(command.end(), flags.begin(), flags.end());
  auto child = Child::start(command, true);
  if (!child) return child.status();
  out->child_ = std::move(*child);
  if (Status status = out->read_ready(stop); !status) return status;
  return out;
}

Status OwnHost::read_ready(const Stop& stop) {
  std::string line;
  char c = 0;
  const auto latest = std::chrono::steady_clock::now() + kReady;
  while (line.empty() || line.back() != '\n') {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        latest - std::chrono::steady_clock::now());
    if (left.count() <= 0 || wait_for(child_->output(), stop, left) != Woken::ready ||
        ::read(child_->output(), &c, 1) != 1) {
      return Status(GANTRY_NOT_FOUND, "gantryd did not get ready; it says why above");
    }
    line += c;
  }
  if (!line.starts_with(kLine)) return Status::failed("gantryd said " + line);
  url_ = line.substr(kLine.size(), line.size() - kLine.size() - 1);
  return {};
}

OwnHost::~OwnHost() {
  child_.reset();
  std::error_code error;
  std::filesystem::remove_all(directory_, error);
}

}  // namespace gantry::cli
