#include "values/spending.hpp"

#include <time.h>

#include <algorithm>
#include <new>
#include <string>

namespace gantry::data {
namespace {

// The overhead of an allocation: our header and the heap's.
constexpr std::size_t kHead = 16;
constexpr std::size_t kOverhead = kHead + 16;

// The time of the last timer interrupt: up to a few milliseconds old, and very cheap to read.
std::int64_t coarse_now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

std::string size_text(std::size_t bytes) {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  if (bytes >= kMiB && bytes % kMiB == 0) return std::to_string(bytes / kMiB) + " MiB";
  return std::to_string(bytes) + " bytes";
}

DataError memory_error(std::string_view name, std::size_t budget) {
  return DataError::invalid_query(std::string(name) +
                                  " would take more than the memory of one query allows (" +
                                  size_text(budget) +
                                  "). Make fewer or smaller texts, arrays and objects, or work on "
                                  "fewer documents at a time.");
}

}  // namespace

MemorySpent::MemorySpent(std::size_t budget)
    : QueryError(memory_error("The query", budget)), budget_(budget) {}

void MemorySpent::name_once(std::string_view name) {
  if (std::exchange(named_, true)) return;
  replace(memory_error(name, budget_));
}

void MemorySpent::blame_keeper(std::string_view stage) {
  named_ = true;
  replace(DataError::invalid_query(
      std::string(stage) +
      ": has to keep more documents than the memory of one query allows; put a $match or $limit "
      "before it, or keep fewer fields with $project."));
}

Spending::Spending(const Budget& budget)
    : budget_(budget), limit_(budget.bytes), looked_(coarse_now_ns()) {}

void Spending::refuse() const { throw MemorySpent(budget_.bytes); }

void Spending::step() {
  if (trial_steps_ != 0 && --trial_steps_ == 0) {
    trial_steps_ = 1;
    throw TrialEnded{};
  }
  constexpr unsigned kStepsALook = 128;
  const std::int64_t now = coarse_now_ns();
  if (++steps_ % kStepsALook != 0 && now == looked_) return;
  looked_ = now;
  look();
}

void Spending::look() const {
  if (!budget_.spent()) return;
  const Status status = budget_.check();
  const std::string_view code =
      status.code() == GANTRY_CANCELLED ? error_code::kCancelled : error_code::kTimeout;
  throw TimeSpent(DataError{std::string(code), status.message(), {}, {}, {}, {}});
}

void Spending::close() noexcept {
  closed_ = true;
  if (used_ == 0) delete this;
}

Spending::Scope::Scope(const Budget& budget)
    : before_(std::exchange(current_, new Spending(budget))) {}

Spending::Scope::~Scope() { std::exchange(current_, before_)->close(); }

Spending::Trial::Trial(unsigned steps, std::size_t bytes) {
  if (current_ == nullptr) current_ = own_ = new Spending(Budget{});
  limit_before_ = current_->limit_;
  steps_before_ = current_->trial_steps_;
  const std::size_t left = current_->limit_ - current_->used_;
  current_->limit_ = current_->used_ + std::min(bytes, left);
  current_->trial_steps_ = steps_before_ == 0 ? steps : std::min(steps, steps_before_);
}

Spending::Trial::~Trial() {
  current_->limit_ = limit_before_;
  current_->trial_steps_ = steps_before_;
  if (own_ == nullptr) return;
  current_ = nullptr;
  own_->close();
}

void* allocate_metered(std::size_t bytes) {
  Spending* const spending = Spending::current();
  if (spending != nullptr) spending->charge(bytes + kOverhead);
  void* block = nullptr;
  try {
    block = ::operator new(bytes + kHead);
  } catch (...) {
    if (spending != nullptr) spending->release(bytes + kOverhead);
    throw;
  }
  *static_cast<Spending**>(block) = spending;
  return static_cast<char*>(block) + kHead;
}

void free_metered(void* block, std::size_t bytes) noexcept {
  void* const head = static_cast<char*>(block) - kHead;
  Spending* const spending = *static_cast<Spending**>(head);
  ::operator delete(head);
  if (spending != nullptr) spending->release(bytes + kOverhead);
}

}  // namespace gantry::data
