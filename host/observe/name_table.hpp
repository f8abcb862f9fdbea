// host/observe/name_table.hpp (private): a bounded map from names to counters.
//
// Looking up a known name takes no lock and allocates nothing. Entries are never removed, so a
// reference is valid as long as the table. Any thread.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gantry::host {

template <class Entry>
class NameTable {
 public:
  // Completes a new entry; called under a lock, once a name.
  using Fill = std::function<void(Entry&, const std::string& name)>;

  // At most `limit` names; all further ones share the entry "other".
  NameTable(std::size_t limit, Fill fill)
      : limit_(limit), fill_(std::move(fill)), slots_(std::bit_ceil(limit * 2)) {}

  Entry& at(std::string_view name) {
    if (Named* const found = find(name).found) return found->entry;
    if (full_.load(std::memory_order_acquire)) return other_->entry;
    const std::lock_guard lock(mutex_);
    return add(name);
  }

  // Visits every entry; new names wait meanwhile.
  template <class Visit>
  void each(Visit visit) const {
    const std::lock_guard lock(mutex_);
    for (const auto& named : names_) visit(named->entry);
    if (other_) visit(other_->entry);
  }

 private:
  struct Named {
    std::string name;
    Entry entry{};
  };
  struct Place {
    std::size_t slot = 0;  // where the name is or would be
    Named* found = nullptr;
  };

  // There are twice as many slots as names, so an empty one always ends the search.
  Place find(std::string_view name) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = std::hash<std::string_view>{}(name)&mask;; slot = (slot + 1) & mask) {
      Named* const named = slots_[slot].load(std::memory_order_acquire);
      if (named == nullptr || named->name == name) return {slot, named};
    }
  }

  std::unique_ptr<Named> made(std::string_view name) const {
    auto named = std::make_unique<Named>();
    named->name = name;
    fill_(named->entry, named->name);
    return named;
  }

  // Others may have added since the caller looked.
  Entry& add(std::string_view name) {
    const Place place = find(name);
    if (place.found != nullptr) return place.found->entry;
    if (names_.size() < limit_) {
      Named* const named = names_.emplace_back(made(name)).get();
      slots_[place.slot].store(named, std::memory_order_release);
      return named->entry;
    }
    if (!other_) other_ = made("other");
    full_.store(true, std::memory_order_release);
    return other_->entry;
  }

  const std::size_t limit_;
  const Fill fill_;
  std::vector<std::atomic<Named*>> slots_;
  mutable std::mutex mutex_;  // of add()
  std::vector<std::unique_ptr<Named>> names_;
  std::unique_ptr<Named> other_;  // written before full_
  std::atomic<bool> full_{false};
};

}  // namespace gantry::host
