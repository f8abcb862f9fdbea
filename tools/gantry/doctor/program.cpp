#include "tools/gantry/doctor/program.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "tools/gantry/dev/child.hpp"
#include "tools/gantry/project/sdk.hpp"

namespace gantry::cli::doctor {
namespace {

constexpr std::chrono::seconds kLongest{60};
constexpr std::size_t kMostOutput = 1u << 20;

// Standard error joins standard output, in the directory of the first word.
constexpr const char* kScript = R"(cd -- "$0" && exec "$@" 2>&1)";

// All that the child prints; false: it was stopped or took too long.
bool read_output(const Child& child, const Stop& stop, std::string& out) {
  const auto latest = std::chrono::steady_clock::now() + kLongest;
  char chunk[4096];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        latest - std::chrono::steady_clock::now());
    if (left.count() <= 0 || wait_for(child.output(), stop, left) != Woken::ready) return false;
    const ssize_t got = ::read(child.output(), chunk, sizeof chunk);
    if (got <= 0) return true;
    if (out.size() < kMostOutput) out.append(chunk, static_cast<std::size_t>(got));
  }
}

}  // namespace

Result<Ended> run_gantryd(const Invocation& invocation, const std::vector<std::string>& more,
                          const Stop& stop) {
  std::vector<std::string> command{"/bin/sh", "-c", kScript,
                                   invocation.directory.empty() ? "." : invocation.directory,
                                   program_directory() + "/gantryd"};
  command.insert(command.end(), invocation.flags.begin(), invocation.flags.end());
  command.insert(command.end(), more.begin(), more.end());
  const auto child = Child::start(command, true);
  if (!child) return child.status();
  Ended out;
  if (!read_output(**child, stop, out.output)) {
    if (stop.told()) return Status(GANTRY_CANCELLED, "cancelled");
    return Status::failed("gantryd took longer than a minute");
  }
  out.code = (*child)->wait(stop);
  return out;
}

Result<Invocation> invocation_of(std::uint64_t pid) {
  const std::string process = "/proc/" + std::to_string(pid);
  std::ifstream in(process + "/cmdline", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::error_code error;
  Invocation out{{}, std::filesystem::read_symlink(process + "/cwd", error)};
  if (text.empty() || error) return Status::not_found("its command line cannot be read");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at), text.size());
    if (at > 0) out.flags.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

}  // namespace gantry::cli::doctor
