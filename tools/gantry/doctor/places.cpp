// Checks of places: directories, sockets, the port.
#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "host/config/paths.hpp"
#include "host/config/read.hpp"
#include "host/control/paths.hpp"
#include "tools/gantry/doctor/checks.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli::doctor {
namespace {

namespace fs = std::filesystem;

// "0755".
std::string mode_text(mode_t mode) {
  char text[8];
  std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(mode & 07777));
  return text;
}

// A directory or socket that its user alone may enter.
Finding private_place(const char* name, const fs::path& path, mode_t wanted) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) {
    return {Verdict::ok, name, path.string() + " is not there yet; gantryd makes it"};
  }
  if (found.st_uid != ::geteuid() && ::geteuid() != 0) {
    return {Verdict::fail, name, path.string() + " belongs to another user",
            "name another one, or run as its user"};
  }
  if ((found.st_mode & 0777) == wanted) {
    return {Verdict::ok, name, path.string() + ", mode " + mode_text(found.st_mode)};
  }
  const bool is_open = (found.st_mode & 0022) != 0;
  return {is_open ? Verdict::fail : Verdict::warn, name,
          path.string() + " has mode " + mode_text(found.st_mode) +
              (is_open ? ", so others may write there" : ""),
          "chmod " + mode_text(wanted) + " " + path.string()};
}

// 0: the address can be listened on; else why not.
int problem_of_listening(const host::Address& address) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  const std::string port = std::to_string(address.port);
  if (::getaddrinfo(address.host.c_str(), port.c_str(), &hints, &found) != 0) return EADDRNOTAVAIL;
  const int fd = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const bool is_free = ::bind(fd, found->ai_addr, found->ai_addrlen) == 0 && ::listen(fd, 1) == 0;
  const int problem = is_free ? 0 : errno;
  ::close(fd);
  ::freeaddrinfo(found);
  return problem;
}

bool serves_at(const LivingHost* host, std::uint16_t port) {
  return host != nullptr &&
         host->endpoint.find(":" + std::to_string(port) + "/") != std::string::npos;
}

}  // namespace

void check_state(const rapidjson::Value& configuration, const std::string& directory,
                 Findings& out) {
  fs::path path = text_at(configuration, "state");
  if (path.empty()) {
    const auto users = host::user_state_directory();
    if (!users) {
      out.push_back({Verdict::fail, "state", users.message(), "name one: gantryd --state DIR"});
      return;
    }
    path = *users;
  } else if (path.is_relative() && !directory.empty()) {
    path = directory / path;
  }
  out.push_back(private_place("state", path, 0700));
}

void check_control(const LivingHost* host, Findings& out) {
  const fs::path directory = host::control::runtime_directory();
  out.push_back(private_place("control", directory, 0700));
  if (host == nullptr) {
    out.push_back({Verdict::ok, "host", "none of this user runs"});
    return;
  }
  out.push_back({Verdict::ok, "host",
                 "process " + std::to_string(host->pid) + " serves " +
                     (host->endpoint.empty() ? "one client" : host->endpoint)});
  out.push_back(private_place("socket", host->socket, 0600));
}

void check_port(const rapidjson::Value& configuration, const LivingHost* host, Findings& out) {
  const std::string listen = text_at(configuration, "listen");
  const auto address = host::parse_address(listen);
  if (!address) {
    out.push_back({Verdict::fail, "port", address.message(), "correct --listen"});
    return;
  }
  if (serves_at(host, address->port)) {
    out.push_back({Verdict::ok, "port", listen + " is served by the host that runs"});
    return;
  }
  const int problem = problem_of_listening(*address);
  if (problem == 0) {
    out.push_back({Verdict::ok, "port", listen + " is free"});
    return;
  }
  out.push_back({Verdict::fail, "port",
                 problem == EADDRINUSE ? listen + " is used by another program"
                                       : listen + " cannot be used: " + std::strerror(problem),
                 "end that program, or take another port: gantryd --listen 127.0.0.1:0"});
}

}  // namespace gantry::cli::doctor
