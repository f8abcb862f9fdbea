#include "started.hpp"

#include <string>

#include "host/worker/messages.hpp"
#include "sdk/contract/nested_answer.hpp"

namespace gantry::worker {

void StartedCalls::add(std::uint64_t request, Started started) {
  std::lock_guard lock(mutex_);
  started_.emplace(request, started);
}

void StartedCalls::drop(std::uint64_t request) {
  std::lock_guard lock(mutex_);
  started_.erase(request);
}

std::function<void()> StartedCalls::take_answer(const wire::Frame& frame) {
  Started started{};
  {
    std::lock_guard lock(mutex_);
    const auto it = started_.find(frame.header.request);
    if (it == started_.end()) return {};
    started = it->second;
    started_.erase(it);
  }
  return [started, bytes = std::string(frame.body)] {
    wire::BodyReader body(bytes);
    const auto status = body.number<gantry_status>();
    give_parts(body, started.answer);
    started.done(started.context, status);
  };
}

void give_parts(wire::BodyReader& body, gantry_answer answer) {
  const auto parts = wire::parts_from(body);
  if (!parts) return;
  for (const auto& [type, text] : *parts) contract::give_part(answer, type, text);
}

}  // namespace gantry::worker
