// gantry-worker PLUGIN CONFINEMENT [live|map [unload]]: runs one plugin in a process of its own,
// for the host at the other end of descriptor 3. Started by gantryd and gantry, not by hand.
#include <sys/socket.h>

#include <cstdio>
#include <string_view>

#include "host/worker/process.hpp"
#include "worker.hpp"

namespace {

bool is_socket(int descriptor) {
  int type = 0;
  socklen_t size = sizeof type;
  return ::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || !is_socket(gantry::host::kWorkerSocket)) {
    std::fputs(
        "gantry-worker is started by gantryd; to try a plugin use: gantry plugin check FILE\n",
        stderr);
    return 64;
  }
  gantry::worker::Link link(gantry::host::kWorkerSocket);
  gantry::worker::Trial trial;
  if (argc > 3) {
    const bool maps = argv[3] == std::string_view("map");
    trial.kind = maps ? gantry::host::Trial::map : gantry::host::Trial::live;
  }
  trial.unloads = argc > 4 && argv[4] == std::string_view("unload");
  gantry::worker::Worker(link, trial).run(argv[2]);
}
