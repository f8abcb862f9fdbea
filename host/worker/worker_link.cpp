#include "host/worker/worker_link.hpp"

#include <utility>

namespace gantry::host::worker {

void WorkerLink::attach(std::unique_ptr<WorkerProcess> process) {
  auto started = std::make_shared<Process>(std::move(process));
  std::lock_guard lock(mutex_);
  current_ = std::move(started);
  ++life_;
}

void WorkerLink::detach() {
  std::lock_guard lock(mutex_);
  current_.reset();
}

std::shared_ptr<WorkerLink::Process> WorkerLink::current() const {
  std::lock_guard lock(mutex_);
  return current_;
}

std::uint64_t WorkerLink::life() const {
  std::lock_guard lock(mutex_);
  return life_;
}

bool WorkerLink::is_alive(std::uint64_t life) const {
  std::lock_guard lock(mutex_);
  return current_ && life == life_;
}

pid_t WorkerLink::pid() const {
  std::lock_guard lock(mutex_);
  return current_ ? current_->process->pid() : 0;
}

void WorkerLink::kill(std::string why) {
  std::lock_guard lock(mutex_);
  if (current_) current_->process->kill(std::move(why));
}

void WorkerLink::send(std::uint64_t life, std::string_view frame) {
  std::lock_guard lock(mutex_);
  if (!current_ || life != life_) return;
  if (!current_->channel.send(frame)) {
    current_->process->kill("hung: it reads nothing from the host");
  }
}

void WorkerLink::wake() {
  std::lock_guard lock(mutex_);
  if (current_) current_->channel.wake();
}

void WorkerLink::answered() {
  policy_.answered();
  std::lock_guard lock(mutex_);
  if (current_) current_->process->answered();
}

// The worker's thread logs how much was dropped.
bool WorkerLink::may_log(std::size_t bytes) {
  const LogBudget::Verdict verdict = log_budget_.take(bytes);
  if (verdict == LogBudget::Verdict::first_drop) wake();
  return verdict == LogBudget::Verdict::keep;
}

}  // namespace gantry::host::worker
