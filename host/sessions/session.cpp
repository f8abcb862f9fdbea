#include "host/sessions/session.hpp"

#include <utility>

namespace gantry::host {

std::optional<int> Session::log_level() const {
  const int level = log_level_;
  return level < 0 ? std::nullopt : std::optional(level);
}

void Session::end() {
  running_.end();
  client_requests_.end();
  std::vector<std::function<void()>> callbacks;
  {
    std::lock_guard lock(end_.mutex);
    end_.came = true;
    callbacks.swap(end_.callbacks);
  }
  for (const auto& ended : callbacks) ended();
  streams_.end();
}

void Session::on_end(std::function<void()> ended) {
  {
    std::lock_guard lock(end_.mutex);
    if (!end_.came) return end_.callbacks.push_back(std::move(ended));
  }
  ended();
}

}  // namespace gantry::host
