#include "host/limits/byte_budget.hpp"

#include <algorithm>
#include <utility>

namespace gantry::host {
namespace {

// The part of a holder's bytes that counts as progress, and the part of the limit that one eviction
// frees: a sixteenth.
constexpr std::size_t kPart = 16;
// Longer times without progress count as this.
constexpr double kLongestMs = 10'000;

}  // namespace

// The budget's record of one holder, under the budget's mutex.
struct ByteBudget::Holder {
  ByteBudget::Progress progress;
  ByteBudget::GiveWay give_way;
  std::size_t bytes = 0;
  std::size_t reference = 0;              // the number of bytes from which progress is measured
  ByteBudget::Clock::time_point since{};  // the last progress
  std::size_t place = 0;                  // in the budget's list, while it has bytes

  void note(std::size_t now_bytes, ByteBudget::Clock::time_point now) {
    const bool grew = now_bytes > reference;
    const std::size_t change = grew ? now_bytes - reference : reference - now_bytes;
    const bool wanted = grew == (progress == ByteBudget::Progress::by_growth);
    const bool begins = bytes == 0;
    bytes = now_bytes;
    if (begins || (wanted && change > 0 && change >= reference / kPart)) {
      since = now;
      reference = now_bytes;
    } else if (!wanted) {
      reference = now_bytes;
    }
  }
  double weight(ByteBudget::Clock::time_point now) const {
    const auto idle = std::chrono::duration<double, std::milli>(now - since).count();
    return static_cast<double>(bytes) * (1 + std::min(idle, kLongestMs));
  }
};

ByteBudget::Share::Share() = default;
ByteBudget::Share::Share(Share&&) noexcept = default;

ByteBudget::Share::Share(std::shared_ptr<ByteBudget> budget, Progress progress, GiveWay give_way)
    : budget_(std::move(budget)), holder_(std::make_unique<Holder>()) {
  holder_->progress = progress;
  holder_->give_way = std::move(give_way);
}

ByteBudget::Share::~Share() {
  if (holder_) hold(0);
}

ByteBudget::Share& ByteBudget::Share::operator=(Share&& other) noexcept {
  if (holder_) hold(0);
  budget_ = std::move(other.budget_);
  holder_ = std::move(other.holder_);
  return *this;
}

bool ByteBudget::Share::hold(std::size_t bytes) {
  return !holder_ || budget_->hold(*holder_, bytes);
}

void ByteBudget::Share::touch() {
  if (holder_) budget_->touch(*holder_);
}

void ByteBudget::touch(Holder& holder) {
  const std::lock_guard lock(mutex_);
  holder.since = Clock::now();
  holder.reference = holder.bytes;
}

bool ByteBudget::hold(Holder& holder, std::size_t bytes) {
  std::vector<GiveWay> others;
  bool stays = true;
  {
    const std::lock_guard lock(mutex_);
    const bool grows = bytes > holder.bytes;
    if (bytes == 0 && holder.bytes == 0) return true;
    count(holder, bytes);
    if (grows && held_ > limit_) {
      others = make_room(holder);
      stays = holder.bytes > 0 || bytes == 0;
    }
  }
  for (const GiveWay& give_way : others) give_way();
  return stays;
}

void ByteBudget::count(Holder& holder, std::size_t bytes) {
  held_ += bytes - holder.bytes;
  if (holder.bytes == 0 && bytes > 0) {
    holder.place = holders_.size();
    holders_.push_back(&holder);
  } else if (holder.bytes > 0 && bytes == 0) {
    holders_[holder.place] = holders_.back();
    holders_[holder.place]->place = holder.place;
    holders_.pop_back();
  }
  holder.note(bytes, Clock::now());
}

// Evicts holders until a sixteenth of the limit is free. Returns the callbacks of the evicted
// holders, except that of `asking`: hold() reports its eviction with its result.
std::vector<ByteBudget::GiveWay> ByteBudget::make_room(const Holder& asking) {
  const auto now = Clock::now();
  std::vector<std::pair<double, Holder*>> heap;
  heap.reserve(holders_.size());
  for (Holder* holder : holders_) heap.emplace_back(holder->weight(now), holder);
  std::make_heap(heap.begin(), heap.end());
  std::vector<GiveWay> out;
  while (held_ > limit_ - limit_ / kPart && !heap.empty()) {
    std::pop_heap(heap.begin(), heap.end());
    Holder* const victim = heap.back().second;
    heap.pop_back();
    if (victim != &asking) out.push_back(victim->give_way);
    count(*victim, 0);
    ++refused_;
  }
  return out;
}

}  // namespace gantry::host
