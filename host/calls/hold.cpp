// Calls of a plugin that must not be entered just now: they wait for its replacement. And what else
// the loader asks of the pool.
#include <algorithm>

#include "host/calls/engine.hpp"
#include "host/calls/waiter.hpp"

namespace gantry::host {

WorkerCallInfo Engine::call_info(const gantry_call& call) {
  WorkerCallInfo info{call.output.room(), call.parent != nullptr, call.nested.calls_back,
                      call.root->group};
  const gantry_call* const into = call.nested.splice_into;
  if (into != nullptr) info.room = std::min(info.room, into->output.room());
  return info;
}

bool Engine::post(const gantry_call* call, std::function<void()> work) {
  away_.post(call != nullptr ? call->root->group : 0, std::move(work));
  return true;
}

void Engine::blocking(const std::function<void()>& wait) {
  Pool::Waiting waiting(pool_);
  wait();
}

// True: the call goes on by itself, later.
bool Engine::held(const CallRef& call) {
  gantry_call* const raw = CallRef(call).release();
  const InstancePtr keep = call->plugin;
  const bool held = keep->hold(
      [this, raw](InstancePtr instead) { go_on(CallRef::adopt(raw), std::move(instead)); });
  if (!held) CallRef::adopt(raw);
  return held;
}

void Engine::go_on(CallRef call, InstancePtr instead) {
  if (instead) {
    call->plugin = std::move(instead);
    queue(std::move(call));
    return;
  }
  call->phase.store(gantry_call::Phase::ended, std::memory_order_release);
  call->output.fail("internal_error",
                    "The plugin '" + call->plugin->manifest().name +
                        "' was being replaced and did not come back; ask the operator",
                    "");
  end(*call, GANTRY_FAILED);
}

// Blocks; on GANTRY_OK the child's plugin may be entered.
gantry_status Engine::wait_for_replacement(gantry_call& child) {
  auto waiter = std::make_shared<Waiter>();
  auto instead = std::make_shared<InstancePtr>();
  const bool held = child.plugin->hold([waiter, instead](InstancePtr there) {
    *instead = std::move(there);
    waiter->signal();
  });
  if (!held) return GANTRY_OK;
  if (const gantry_status s = wait_for_end(*child.root, *waiter); s < 0) return s;
  if (!*instead) return GANTRY_FAILED;
  child.plugin = std::move(*instead);
  return GANTRY_OK;
}

}  // namespace gantry::host
