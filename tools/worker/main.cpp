// gantry-worker: runs one plugin in a process of its own, for the host at the other end of
// descriptor 3. The host sends PLUGIN CONFINEMENT [live|map [unload]] first. Started by gantryd and
// gantry, not by hand.
#include <sys/socket.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "host/worker/assignment.hpp"
#include "host/worker/process.hpp"
#include "worker.hpp"

namespace {

bool is_socket(int descriptor) {
  int type = 0;
  socklen_t size = sizeof type;
  return ::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

// The host left room for the name in the command line, which ps and top show.
void show(const std::string& plugin, char* room) {
  const std::size_t size = std::strlen(room);
  std::memset(room, 0, size);
  plugin.copy(room, size);
}

}  // namespace

int main(int argc, char** argv) {
  if (!is_socket(gantry::host::kWorkerSocket)) {
    std::fputs(
        "gantry-worker is started by gantryd; to try a plugin use: gantry plugin check FILE\n",
        stderr);
    return 64;
  }
  const auto words = gantry::host::receive_assignment();
  if (!words) return std::fprintf(stderr, "%s\n", words.message().c_str()), 65;
  if (words->size() < 2) return 0;  // the host ended before it had a plugin
  if (argc > 1) show(words->front(), argv[1]);
  gantry::worker::Trial trial;
  if (words->size() > 2) {
    const bool maps = (*words)[2] == "map";
    trial.kind = maps ? gantry::host::Trial::map : gantry::host::Trial::live;
  }
  trial.unloads = words->size() > 3 && (*words)[3] == "unload";
  gantry::worker::Link link(gantry::host::kWorkerSocket);
  gantry::worker::Worker(link, trial).run((*words)[1]);
}
