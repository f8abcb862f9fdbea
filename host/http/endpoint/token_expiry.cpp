#include "host/http/endpoint/token_expiry.hpp"

#include <chrono>
#include <utility>

namespace gantry::host::http {

TokenExpiry::Watch TokenExpiry::watch(const TokenGrant* token, std::function<void()> end) noexcept {
  if (token == nullptr) return nullptr;
  try {
    const auto left = token->accepted_until - std::chrono::system_clock::now();
    const auto when = std::chrono::steady_clock::now() +
                      std::chrono::duration_cast<std::chrono::steady_clock::duration>(left);
    const Timer::Id id = timer_.set(when, std::move(end));
    return Watch(nullptr, [this, id](void*) { timer_.drop(id); });
  } catch (...) {
    return nullptr;
  }
}

}  // namespace gantry::host::http
