#include "host/observe/feed.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "host/base/ids.hpp"

namespace gantry::host {

Feed::Feed(std::size_t kept, Text text)
    : kept_(kept), text_(std::move(text)), prefix_(random_hex(4) + "-") {}

void Feed::add(std::string packed) { add(std::make_shared<const std::string>(std::move(packed))); }

void Feed::add(std::shared_ptr<const std::string> packed) {
  std::shared_ptr<const std::string> oldest;  // released without the lock
  {
    const std::lock_guard lock(mutex_);
    records_.push_back(std::move(packed));
    ++newest_;
    if (records_.size() > kept_) {
      oldest = std::move(records_.front());
      records_.pop_front();
    }
  }
  added_.raise();
}

std::vector<FeedRecord> Feed::after(std::uint64_t number, std::size_t most) const {
  std::vector<FeedRecord> out;
  std::unique_lock lock(mutex_);
  const std::uint64_t before = newest_ - records_.size();  // the newest that is not kept
  const std::uint64_t begin = std::max(number, before);
  if (begin >= newest_) return out;
  const std::size_t count = std::min<std::size_t>(most, newest_ - begin);
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back({begin + i + 1, records_[begin - before + i]});
  }
  lock.unlock();
  if (!text_) return out;
  for (FeedRecord& each : out) {
    each.json = std::make_shared<const std::string>(text_(*each.json));
  }
  return out;
}

std::uint64_t Feed::newest() const {
  const std::lock_guard lock(mutex_);
  return newest_;
}

std::string Feed::cursor(std::uint64_t number) const { return prefix_ + std::to_string(number); }

std::optional<std::uint64_t> Feed::number_of(std::string_view cursor) const {
  if (!cursor.starts_with(prefix_)) return std::nullopt;
  cursor.remove_prefix(prefix_.size());
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(cursor.data(), cursor.data() + cursor.size(), number);
  if (error != std::errc() || end != cursor.data() + cursor.size()) return std::nullopt;
  return number;
}

}  // namespace gantry::host
