#include "host/worker/reader.hpp"

#include <algorithm>
#include <utility>

namespace gantry::host::worker {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::chrono::seconds kDeathTime{5};
constexpr std::chrono::milliseconds kDyingTime{200};

}  // namespace

std::string Reader::read_until_end() {
  const auto process = link_.current();
  life_ = link_.life();
  milestones_ = 0;
  do {
    process->channel.wait(next_time());
    check_times();
  } while (read_now(process->channel));
  // The end of its socket comes a little before the end of a process, which says more.
  if (!process->process->wait_until(Steady::now() + kDyingTime)) {
    link_.kill("closed its connection to the host");
    process->process->wait_until(Steady::now() + kDeathTime);
  }
  say_dropped(true);
  return process->process->cause();
}

// False when there is nothing to read any more: the worker has closed its end or broke the
// protocol.
bool Reader::read_now(Channel& channel) {
  const auto seen = channel.receive();
  return take_frames(channel) && seen != Channel::Seen::end;
}

// False when the worker broke the protocol. noexcept: a frame that cannot be carried out to its
// end, for want of memory say, would leave its call between the host and the worker.
bool Reader::take_frames(Channel& channel) noexcept {
  for (;;) {
    const auto next = channel.next();
    if (next && !*next) return true;
    const Status status = next ? take(**next) : next.status();
    if (status) continue;
    link_.kill("was ended, since it broke the protocol: it sent " + status.message());
    return false;
  }
}

Status Reader::take(const Frame& frame) {
  if (frame.header.type != FrameType::done) return frames_.take(life_, frame);
  BodyReader body(frame.body);
  Steps::End end{body.number<gantry_status>(), {}};
  end.reason = body.text();
  if (frame.header.request == 0) ++milestones_;
  if (body.complete()) steps_.end(frame.header.request, end);
  return Status::ok();
}

std::chrono::steady_clock::time_point Reader::next_time() {
  auto next = std::min(calls_.next_kill(), steps_.deadline());
  if (link_.log_budget().owes()) next = std::min(next, Steady::now() + LogBudget::kInterval);
  return next;
}

void Reader::say_dropped(bool now) {
  const std::string text = link_.log_budget().dropped(now);
  if (!text.empty()) plugin_.log(GANTRY_LOG_WARNING, text);
}

void Reader::check_times() {
  const auto now = Steady::now();
  say_dropped(false);
  if (auto hung = calls_.overdue(now)) link_.kill(std::move(*hung));
  if (auto late = steps_.overdue(now)) link_.kill(std::move(*late));
}

}  // namespace gantry::host::worker
