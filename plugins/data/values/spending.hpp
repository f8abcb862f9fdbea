// values/spending.hpp: the time and memory that one query has used of its Budget.
//
// A query runs on one thread, inside one Spending::Scope. Inside it every Value, and every
// container with the allocator Metered, charges the bytes that it allocates and returns them when
// it frees them. The charge is therefore exact for temporary values too; operators, accumulators
// and stages do no counting of their own. A charge beyond Budget::bytes throws MemorySpent; the
// first operator or stage that catches it adds its name (in_name_of()).
//
// current() is the query of the thread: values are created in functions that have no reference to a
// query. No other state is passed this way. Values that outlive the Scope keep their Spending alive
// and still belong to one thread. Without a Scope nothing is charged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "errors/query_error.hpp"
#include "values/budget.hpp"

namespace gantry::data {

// The deadline has passed or the caller has cancelled. Inside a statement it ends the statement.
class TimeSpent : public QueryError {
 public:
  using QueryError::QueryError;
};

// The values of a query would exceed its memory budget.
class MemorySpent : public QueryError {
 public:
  explicit MemorySpent(std::size_t budget);
  // Sets the name if there is none yet. `name` is an operator or a stage.
  void name_once(std::string_view name);
  // Replaces the name by that of a stage that holds most of the memory.
  void blame_keeper(std::string_view stage);

 private:
  std::size_t budget_;
  bool named_ = false;
};

class Spending {
 public:
  // The query that runs on this thread; null outside of queries.
  static Spending* current() { return current_; }

  // Throws MemorySpent; nothing is charged then.
  void charge(std::size_t bytes) {
    if (bytes > limit_ - used_) refuse();
    used_ += bytes;
  }
  void release(std::size_t bytes) noexcept {
    used_ -= bytes;
    if (used_ == 0 && closed_) delete this;
  }
  std::size_t used() const { return used_; }
  std::size_t left() const { return limit_ - used_; }
  std::size_t limit() const { return limit_; }

  // Counts one step of work. Checks the clock and the caller from time to time: after a number of
  // steps, and at the first step after a few milliseconds. Throws TimeSpent.
  void step();
  // Checks at once.
  void look() const;
  // step() of this thread's query, if there is one.
  static void step_current() {
    if (current_ != nullptr) current_->step();
  }

  // Begins the spending of one query and ends it. Scopes nest; the inner one is charged separately.
  class Scope {
   public:
    explicit Scope(const Budget& budget);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Spending* before_;
  };

  // Lowers the limits of the current query for a while: `steps` of work, `bytes` of new values.
  // Exceeding them throws TrialEnded or MemorySpent. Without a query it begins one of its own.
  class Trial;
  struct TrialEnded {};

 private:
  explicit Spending(const Budget& budget);
  ~Spending() = default;
  [[noreturn]] void refuse() const;
  void close() noexcept;

  static inline constinit thread_local Spending* current_ = nullptr;

  const Budget budget_;
  std::size_t used_ = 0;
  std::size_t limit_;
  unsigned steps_ = 0;
  unsigned trial_steps_ = 0;  // left; 0: no trial
  std::int64_t looked_;
  bool closed_ = false;
};

class Spending::Trial {
 public:
  Trial(unsigned steps, std::size_t bytes);
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

 private:
  Spending* own_ = nullptr;
  std::size_t limit_before_ = 0;
  unsigned steps_before_ = 0;
};

// For loops with very short iterations: counts one step for many of them.
class SmallSteps {
 public:
  void operator()() {
    if (++turns_ % kTurnsBetweenSteps == 0) Spending::step_current();
  }

 private:
  static constexpr unsigned kTurnsBetweenSteps = 256;
  unsigned turns_ = 0;
};

// Bytes charged for memory that no Metered container allocates; returned by the destructor.
class Charge {
 public:
  Charge() = default;
  explicit Charge(std::size_t bytes) { add(bytes); }
  Charge(Charge&& other) noexcept
      : of_(std::exchange(other.of_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Charge& operator=(Charge&& other) noexcept {
    std::swap(of_, other.of_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Charge() {
    if (bytes_ != 0) of_->release(bytes_);
  }
  // Charges the current query. A Charge that began under another query keeps charging that one.
  void add(std::size_t bytes) {
    Spending* const now = Spending::current();
    if (now == nullptr || (bytes_ != 0 && of_ != now)) return;
    now->charge(bytes);
    of_ = now;
    bytes_ += bytes;
  }

 private:
  Spending* of_ = nullptr;
  std::size_t bytes_ = 0;
};

void* allocate_metered(std::size_t bytes);
void free_metered(void* block, std::size_t bytes) noexcept;

// The allocator of containers that hold a query's values or grow with its documents.
template <class T>
struct Metered {
  using value_type = T;
  Metered() = default;
  template <class U>
  Metered(const Metered<U>&) noexcept {}  // NOLINT: implicit, as allocators are

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_metered(count * sizeof(T))); }
  void deallocate(T* block, std::size_t count) noexcept { free_metered(block, count * sizeof(T)); }
  bool operator==(const Metered&) const { return true; }
};

// Returns the result of `work`. MemorySpent that leaves it gets the operator's or stage's name.
template <class Work>
decltype(auto) in_name_of(std::string_view name, const Work& work) {
  try {
    return work();
  } catch (MemorySpent& spent) {
    spent.name_once(name);
    throw;
  }
}

// For a stage that keeps documents while it reads its input: if memory runs out elsewhere but this
// stage holds most of it, the error names this stage.
template <class Work>
void keeping(std::string_view stage, const Work& work) {
  Spending* const spending = Spending::current();
  const std::size_t before = spending == nullptr ? 0 : spending->used();
  try {
    work();
  } catch (MemorySpent& spent) {
    const std::size_t kept = spending->used() < before ? 0 : spending->used() - before;
    if (kept >= spending->limit() / 2) {
      spent.blame_keeper(stage);
    } else {
      spent.name_once(stage);
    }
    throw;
  }
}

}  // namespace gantry::data
