#include "host/worker/worker_stage.hpp"

namespace gantry::host {
namespace {

std::string in_words(std::chrono::milliseconds time) {
  if (time.count() < 1000) return std::to_string(time.count()) + " ms";
  return std::to_string((time.count() + 999) / 1000) + " s";
}

std::string next_of(const RestartPolicy::Verdict& verdict) {
  if (verdict.quarantined) {
    return "it failed too often and is quarantined until its file changes or it is reloaded";
  }
  return verdict.wait.count() > 0
             ? "it is restarted in " + in_words(verdict.wait) + ", try again then"
             : "it is being restarted";
}

}  // namespace

WorkerStage::Start WorkerStage::started() {
  std::lock_guard lock(mutex_);
  if (stage_ != Stage::starting && stage_ != Stage::restarting) return Start::ignored;
  const bool again = stage_ == Stage::restarting;
  stage_ = Stage::serving;
  reason_.clear();
  if (again) ++restarts_;
  return again ? Start::again : Start::first;
}

WorkerStage::Loss WorkerStage::lost(const std::string& end) {
  Loss loss;
  {
    std::lock_guard lock(mutex_);
    end_ = end;
    loss.next = "it is being ended";
    if (stage_ == Stage::serving || stage_ == Stage::restarting) {
      const RestartPolicy::Verdict verdict = policy_.failed();
      wait_ = verdict.wait;
      stage_ = verdict.quarantined ? Stage::quarantined : Stage::restarting;
      loss.next = next_of(verdict);
      reason_ = "its worker process " + end + "; " + loss.next;
    }
    loss.restarts_at_once = stage_ == Stage::restarting && wait_.count() == 0;
    loss.is_wanted = stage_ != Stage::ending;
    loss.had_served = loss.is_wanted && stage_ != Stage::starting;
  }
  changed_.notify_all();
  return loss;
}

bool WorkerStage::wait_for_restart() {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, wait_, [this] { return stage_ != Stage::restarting; });
}

void WorkerStage::not_spawned() {
  std::lock_guard lock(mutex_);
  const RestartPolicy::Verdict verdict = policy_.failed();
  wait_ = verdict.wait;
  if (verdict.quarantined) stage_ = Stage::quarantined;
}

bool WorkerStage::is_restarting() const {
  std::lock_guard lock(mutex_);
  return stage_ == Stage::restarting;
}

bool WorkerStage::end() {
  bool was_serving = false;
  {
    std::lock_guard lock(mutex_);
    was_serving = stage_ == Stage::serving;
    stage_ = Stage::ending;
  }
  changed_.notify_all();
  return was_serving;
}

std::string WorkerStage::wait_for_end(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, time, [this] { return !end_.empty(); });
  return end_;
}

std::string WorkerStage::wait_for_end() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !end_.empty(); });
  return end_;
}

void WorkerStage::put_into(Health& health) const {
  std::lock_guard lock(mutex_);
  if (stage_ == Stage::restarting) health.mode = Health::Mode::restarting;
  if (stage_ == Stage::quarantined) health.mode = Health::Mode::quarantined;
  health.reason = reason_;
  health.restarts = restarts_;
}

}  // namespace gantry::host
