// host/limits/byte_budget.hpp: bounds the bytes that many holders keep together, and evicts holders
// above the bound.
//
// A holder reports its bytes through its Share. Above the limit, holders are evicted in the order
// of bytes times milliseconds without progress, until a sixteenth of the limit is free. Times above
// ten seconds count as ten, so that a large holder that stalled for seconds goes before a small one
// that stalled for long. Progress is a change by a sixteenth of the holder's bytes in its Share's
// direction, or a touch(). Any thread, all functions.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace gantry::host {

class ByteBudget {
  struct Holder;

 public:
  using Clock = std::chrono::steady_clock;
  using GiveWay = std::function<void()>;
  // The change that counts as progress: by_growth for a holder that receives, by_decrease for one
  // that sends.
  enum class Progress { by_growth, by_decrease };

  // `limit` in bytes. Make it with std::make_shared.
  explicit ByteBudget(std::size_t limit) : limit_(limit) {}
  ByteBudget(const ByteBudget&) = delete;
  ByteBudget& operator=(const ByteBudget&) = delete;

  // The bytes of one holder. Its destructor returns them. Keeps the budget alive.
  class Share {
   public:
    // Counts nothing and is never evicted.
    Share();
    // `give_way` is called when this holder is evicted and must drop its bytes. It runs on the
    // thread of another holder, without a lock of the budget, perhaps after the Share was
    // destroyed.
    Share(std::shared_ptr<ByteBudget> budget, Progress progress, GiveWay give_way);
    ~Share();
    Share(Share&&) noexcept;
    Share& operator=(Share&& other) noexcept;

    // Sets the number of bytes of the holder. False: this holder is evicted, its bytes are no
    // longer counted, and it must drop them; `give_way` is not called. Throws std::bad_alloc.
    bool hold(std::size_t bytes);
    // Records progress that does not change the number of bytes.
    void touch();

   private:
    std::shared_ptr<ByteBudget> budget_;
    std::unique_ptr<Holder> holder_;
  };

  // Bytes. held() is never above the limit: holders above it are evicted before it is seen.
  std::size_t limit() const { return limit_; }
  std::size_t held() const {
    const std::lock_guard lock(mutex_);
    return held_;
  }
  // Evictions since the start.
  std::uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }

 private:
  bool hold(Holder& holder, std::size_t bytes);
  void touch(Holder& holder);
  void count(Holder& holder, std::size_t bytes);
  std::vector<GiveWay> make_room(const Holder& asking);

  const std::size_t limit_;
  std::atomic<std::uint64_t> refused_{0};
  mutable std::mutex mutex_;
  std::size_t held_ = 0;
  std::vector<Holder*> holders_;  // that have bytes
};

}  // namespace gantry::host
