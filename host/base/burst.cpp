#include "host/base/burst.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace gantry::host {
namespace {

thread_local Burst* t_burst = nullptr;

}  // namespace

Burst::Burst() : outer_(t_burst == nullptr) {
  if (outer_) t_burst = this;
}

Burst::~Burst() {
  if (!outer_) return;
  t_burst = nullptr;
  for (const auto& sleeper : sleepers_) sleeper->wake_up();
}

bool Burst::put_off(std::shared_ptr<Sleeper> sleeper) noexcept {
  if (t_burst == nullptr) return false;
  auto& known = t_burst->sleepers_;
  if (std::find(known.begin(), known.end(), sleeper) != known.end()) return true;
  try {
    known.push_back(std::move(sleeper));
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

}  // namespace gantry::host
