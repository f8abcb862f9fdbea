// Calls of a plugin that must not be entered just now: they wait for its replacement. And what else
// the loader asks of the pool.
#include "host/calls/waiter.hpp"

namespace gantry::host {

bool Engine::post(std::function<void()> work) {
  pool_.post(std::move(work));
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
    pool_.post([this, raw = call.release()] { run_queued(raw); });
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
