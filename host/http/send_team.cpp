#include "host/http/send_team.hpp"

#include <algorithm>
#include <system_error>

#include "host/http/out_queue.hpp"

namespace gantry::host::http {
namespace {

// As many as one takes at a time: few enough that nobody waits long for the last ones.
constexpr std::size_t kShare = 8;

void send_each(std::span<Sending> some) {
  for (Sending& one : some) one.took = send_some(one.fd, one.bytes);
}

}  // namespace

void SendTeam::send(std::span<Sending> all) {
  const std::unique_lock turn(turn_, std::try_to_lock);
  if (!turn.owns_lock()) return send_each(all);
  if (threads_.size() < wanted_) start();
  if (threads_.empty()) return send_each(all);
  {
    const std::lock_guard lock(mutex_);
    all_ = all;
    next_.store(0, std::memory_order_relaxed);
    open_ = true;
  }
  begun_.notify_all();
  take_part();
  std::unique_lock lock(mutex_);
  open_ = false;  // who wakes up only now has missed it
  left_.wait(lock, [this] { return inside_ == 0; });
}

void SendTeam::take_part() {
  for (;;) {
    const std::size_t from = next_.fetch_add(kShare, std::memory_order_relaxed);
    if (from >= all_.size()) return;
    send_each(all_.subspan(from, std::min(kShare, all_.size() - from)));
  }
}

// Where the system has no thread to give, those that there are do it.
void SendTeam::start() {
  try {
    while (threads_.size() < wanted_) threads_.emplace_back([this] { help(); });
  } catch (const std::system_error&) {
    wanted_ = threads_.size();
  }
}

void SendTeam::help() {
  ::pthread_setname_np(::pthread_self(), "gantry-send");
  std::unique_lock lock(mutex_);
  for (;;) {
    begun_.wait(lock, [this] { return open_ || stopping_; });
    if (stopping_) return;
    ++inside_;
    lock.unlock();
    take_part();
    lock.lock();
    open_ = false;  // everything is taken
    if (--inside_ == 0) left_.notify_one();
  }
}

void SendTeam::stop() {
  const std::lock_guard turn(turn_);
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  begun_.notify_all();
  for (auto& thread : threads_) thread.join();
  threads_.clear();
  wanted_ = 0;
}

}  // namespace gantry::host::http
