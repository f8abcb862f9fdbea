// host/loader/worker/landlock.hpp: walls between a worker and the user's other processes, where the
// kernel has them.
#pragma once

namespace gantry::host {

struct Walls {
  bool memory = false;   // nothing of /proc/PID that gives access to another process
  bool signals = false;  // none to processes that are not its own descendants
};

// Files stay as they are: a plugin may use what the user may use. No error where the kernel is too
// old (memory: 5.19, signals: 6.12) or has Landlock switched off.
Walls raise_walls();

}  // namespace gantry::host
