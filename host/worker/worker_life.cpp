// Reading: what the worker says, its end, and how it comes back.
#include <pthread.h>

#include <algorithm>

#include "host/worker/worker_instance.hpp"

namespace gantry::host {
namespace {

using Steady = std::chrono::steady_clock;
using worker::FrameType;

constexpr std::chrono::seconds kDeathTime{5};
constexpr std::chrono::milliseconds kDyingTime{200};
// After a call whose answer its own thread has read.
constexpr std::chrono::milliseconds kQuietTime{5};

std::string in_words(std::chrono::milliseconds time) {
  if (time.count() < 1000) return std::to_string(time.count()) + " ms";
  return std::to_string((time.count() + 999) / 1000) + " s";
}

}  // namespace

void WorkerInstance::live() {
  ::pthread_setname_np(::pthread_self(), "gantry-worker");
  do {
    read_until_end();
    gone();
  } while (come_back());
}

void WorkerInstance::read_until_end() {
  do {
    link_->channel.wait(next_time());
    check_times();
  } while (read_now());
  // The end of its socket comes a little before the end of a process, which says more.
  if (link_->process->wait_until(Steady::now() + kDyingTime)) return;
  kill("closed its connection to the host");
  link_->process->wait_until(Steady::now() + kDeathTime);
}

// False when there is nothing to read any more. What comes while another has the turn is read
// there; its end_look() comes after this thread said that it sleeps.
bool WorkerInstance::read_now() {
  Link& link = *link_;
  if (!link.take_turn()) {
    link.channel.leave_until(Steady::now() + kQuietTime);
    if (!link.take_turn()) return true;
    link.channel.leave_until(Time());
  }
  const auto seen = link.channel.receive();
  if (!take_frames(link, Time::max()) || seen == worker::Channel::Seen::end) link.is_over = true;
  const bool goes_on = !link.is_over;
  link.end_turn();
  return goes_on;
}

std::optional<worker::Look> WorkerInstance::begin_look() {
  std::shared_ptr<Link> link;
  {
    std::lock_guard lock(link_mutex_);
    link = link_;
  }
  if (!link || !link->take_turn()) return std::nullopt;
  const worker::Look look = link->is_over ? worker::Look() : link->spin.next_call(Steady::now());
  if (look.here.count() == 0) {
    link->end_turn();
    return std::nullopt;
  }
  link->looker = std::this_thread::get_id();
  looking_ = std::move(link);
  return look;
}

bool WorkerInstance::look(std::chrono::microseconds time, const std::function<bool()>& is_over) {
  using Seen = worker::Channel::Seen;
  Link& link = *looking_;
  Time now = Steady::now();
  const Time until = now + time;
  for (Seen seen = Seen::nothing; seen != Seen::end && now < until; now = Steady::now()) {
    seen = link.channel.receive();
    if (seen == Seen::nothing) std::this_thread::yield();  // it may be on this very processor
    if (seen != Seen::something) continue;
    if (!take_frames(link, until)) break;  // its end wakes the reader
    if (!is_over()) continue;
    link.spin.found(Steady::now());
    return true;
  }
  link.spin.missed(now);
  return false;
}

void WorkerInstance::end_look(bool is_quiet) {
  const std::shared_ptr<Link> link = std::move(looking_);
  const bool has_rest = link->has_rest;
  const bool may_leave = is_quiet && !has_rest;
  if (may_leave) link->channel.leave_until(Steady::now() + kQuietTime);
  link->looker = std::thread::id();
  link->end_turn();
  if (!may_leave) link->channel.watch();
  if (has_rest) link->channel.wake();  // the socket does not tell of it
}

// False when the worker broke the rules, now or before. With the turn. A frame that cannot be
// carried out to its end, for want of memory say, would leave its call between here and there.
bool WorkerInstance::take_frames(Link& link, Time until) noexcept {
  for (bool is_first = true; !link.is_over; is_first = false) {
    link.has_rest = !is_first && Steady::now() >= until;
    if (link.has_rest) return true;
    const auto next = link.channel.next();
    Status status = next.status();
    if (status) {
      if (!*next) return true;
      const worker::Frame& frame = **next;
      if (frame.header.type == FrameType::done) {
        worker::BodyReader body(frame.body);
        StepEnd end{body.number<gantry_status>(), {}};
        end.reason = body.text();
        if (frame.header.request == 0) ++milestones_;
        if (body.complete()) end_step(frame.header.request, end);
      } else {
        status = calls_.take(frame);
      }
    }
    if (status) continue;
    kill("was ended, since it broke the protocol: it sent " + status.message());
    link.is_over = true;
  }
  return false;
}

WorkerInstance::Time WorkerInstance::next_time() {
  Time next = calls_.next_kill();
  if (log_budget_.owes()) next = std::min(next, Steady::now() + LogBudget::kInterval);
  std::lock_guard lock(mutex_);
  return step_ ? std::min(next, step_->deadline) : next;
}

void WorkerInstance::say_dropped(bool now) {
  const std::string text = log_budget_.dropped(now);
  if (!text.empty()) log(GANTRY_LOG_WARNING, text);
}

void WorkerInstance::check_times() {
  const Time now = Steady::now();
  say_dropped(false);
  if (auto hung = calls_.overdue(now)) kill(std::move(*hung));
  std::string late;
  {
    std::lock_guard lock(mutex_);
    if (!step_ || step_->deadline > now) return;
    late = step_->name;
  }
  kill("hung: " + late + " did not finish in time");
}

// The process is no more; says so to everybody who waits for it.
void WorkerInstance::gone() {
  say_dropped(true);
  const std::string cause = "its worker process " + link_->process->cause();
  {
    std::lock_guard lock(link_mutex_);
    link_.reset();
  }
  const std::string name = "The plugin '" + manifest_.name + "'";
  std::string next;
  Stage stage{};
  std::uint64_t step = 0;
  std::string in_step;
  {
    std::lock_guard lock(mutex_);
    step = step_ ? step_->request : 0;
    if (step_) in_step = std::string(step_->name) + " did not return: ";
    if (stage_ == Stage::serving || stage_ == Stage::restarting) {
      const RestartPolicy::Verdict verdict = policy_.failed();
      wait_ = verdict.wait;
      stage_ = verdict.quarantined ? Stage::quarantined : Stage::restarting;
      next = verdict.quarantined
                 ? "it failed too often and is quarantined until its file changes or it is reloaded"
             : wait_.count() > 0 ? "it is restarted in " + in_words(wait_) + ", try again then"
                                 : "it is being restarted";
      reason_ = cause + "; " + next;
    } else {
      next = "it is being ended";
    }
    stage = stage_;
  }
  const bool at_once = stage == Stage::restarting && wait_.count() == 0;
  calls_.lose(name + " failed during this call: " + cause + "; " + next, at_once,
              name + " is not running: " + cause + "; " + next);
  if (stage != Stage::ending) log(GANTRY_LOG_ERROR, cause + "; " + next);
  if (step != 0) end_step(step, {GANTRY_FAILED, in_step + cause});
  if (stage != Stage::starting && stage != Stage::ending && place_.changed) place_.changed();
}

// True when a new process is there, which has its steps to take.
bool WorkerInstance::come_back() {
  {
    std::unique_lock lock(mutex_);
    const auto ends = [this] { return stage_ != Stage::restarting; };
    if (changed_.wait_for(lock, wait_, ends)) return false;
  }
  if (const Status status = spawn(); !status) {
    log(GANTRY_LOG_ERROR, "its worker process cannot be started: " + status.message());
    {
      std::lock_guard lock(mutex_);
      const RestartPolicy::Verdict verdict = policy_.failed();
      wait_ = verdict.wait;
      if (verdict.quarantined) stage_ = Stage::quarantined;
    }
    return come_back();
  }
  // Whoever ended this meanwhile may have found no process to end: either it sees the new one, or
  // this thread sees the stage.
  bool wanted = false;
  {
    std::lock_guard lock(mutex_);
    wanted = stage_ == Stage::restarting;
  }
  if (wanted) {
    restart();
  } else {
    kill("was ended");
  }
  return true;
}

// create() and start() once more, driven by what the worker answers.
void WorkerInstance::restart() {
  const auto next = [this](const StepEnd& end, const char* step, auto go_on) {
    if (end.status >= 0) return go_on();
    const Status status = status_of(step, end);
    kill("was ended: " + status.message());
  };
  take_reason();
  begin_step(FrameType::create, Steady::now() + place_.step_time,
             [this, next](const StepEnd& created) {
               next(created, "create()", [&] {
                 begin_step(FrameType::start, Steady::now() + place_.step_time,
                            [this, next](const StepEnd& started) {
                              next(started, "start()", [this] { serve(); });
                            });
               });
             });
}

// Its plugin has started.
void WorkerInstance::serve() {
  std::uint64_t life = 0;
  {
    std::lock_guard lock(link_mutex_);
    life = life_;
  }
  bool came_back = false;
  {
    std::lock_guard lock(mutex_);
    if (stage_ != Stage::starting && stage_ != Stage::restarting) return;
    came_back = stage_ == Stage::restarting;
    stage_ = Stage::serving;
    reason_.clear();
    if (came_back) ++restarts_;
  }
  calls_.open(life);
  if (!came_back) return;
  log(GANTRY_LOG_NOTICE, "its worker process is back");
  if (place_.changed) place_.changed();
}

}  // namespace gantry::host
