// gantry/lru.hpp: a map that knows which of its entries was used longest ago.
//
//   gantry::Lru<std::string, Price> prices(256);
//   if (const Price* known = prices.find(name)) return *known;
//   return prices.put(name, look_up(name));
//
// A cache whose bound is a number of entries gives that number to the constructor: put() then
// evicts the entry that was used longest ago. A cache with another bound, bytes for example, gives
// none and calls evict() itself.
//
// Owns its keys and values. Keys are looked up by every type that Hash and Equal take; text keys by
// std::string_view, without a copy. An entry keeps its address until it leaves the map. Errors:
// std::bad_alloc, after which the map is as before. Threads: one at a time; a shared cache holds
// its own lock. To release values outside of that lock, take them: take() and evict() return them.
// Costs: find(), put(), take() and evict() take constant time; an entry takes two allocations.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <utility>

namespace gantry {

// The hash of a Lru's keys, unless the Lru names another one.
template <class Key>
struct LruHash : std::hash<Key> {};
template <>
struct LruHash<std::string> : std::hash<std::string_view> {};

template <class Key, class Value, class Hash = LruHash<Key>, class Equal = std::equal_to<>>
class Lru {
 public:
  struct Entry {
    Key key;
    Value value;
  };

  // `most`: the number of entries that put() keeps; at least 1.
  explicit Lru(std::size_t most = std::numeric_limits<std::size_t>::max()) : most_(most) {}
  Lru(const Lru&) = delete;
  Lru& operator=(const Lru&) = delete;

  // The value of `key`, which is now the one used last; null: there is none.
  template <class K>
  Value* find(const K& key) {
    const auto found = index_.find(key);
    if (found == index_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, *found);
    return &(*found)->value;
  }

  // Adds the value, or replaces the one that `key` has; it is now the one used last.
  Value& put(Key key, Value value) {
    if (Value* const known = find(key)) return *known = std::move(value);
    std::list<Entry> one;
    one.push_back({std::move(key), std::move(value)});
    index_.insert(one.begin());
    entries_.splice(entries_.begin(), one);
    if (size() > most_) evict();
    return entries_.front().value;
  }

  // Removes and returns the value of `key`, if there is one.
  template <class K>
  std::optional<Value> take(const K& key) {
    const auto found = index_.find(key);
    if (found == index_.end()) return std::nullopt;
    return remove(found).value;
  }

  // Removes and returns the entry that was used longest ago. There must be one.
  Entry evict() { return remove(index_.find(entries_.back().key)); }

  void clear() {
    index_.clear();
    entries_.clear();
  }
  std::size_t size() const { return index_.size(); }

 private:
  using Place = typename std::list<Entry>::iterator;

  // Both compare places by their keys, and keys with places.
  struct PlaceHash : Hash {
    using is_transparent = void;
    using Hash::operator();
    std::size_t operator()(const Place& place) const { return Hash::operator()(place->key); }
  };
  struct PlaceEqual {
    using is_transparent = void;
    static const Key& key_of(const Place& place) { return place->key; }
    template <class K>
    static const K& key_of(const K& key) {
      return key;
    }
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return Equal()(key_of(a), key_of(b));
    }
  };
  using Index = std::unordered_set<Place, PlaceHash, PlaceEqual>;

  Entry remove(typename Index::iterator found) {
    const Place place = *found;
    index_.erase(found);
    Entry entry = std::move(*place);
    entries_.erase(place);
    return entry;
  }

  std::size_t most_;
  std::list<Entry> entries_;  // the one used last is the first
  Index index_;
};

}  // namespace gantry
