// The members or elements of one instance that some rule has evaluated, as unevaluated* needs them.
// Up to 256 without allocating.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace gantry::schema::detail {

class Evaluated {
 public:
  explicit Evaluated(std::size_t count) : words_((count + 63) / 64) {
    if (words_ > small_.size()) large_ = std::make_unique<std::uint64_t[]>(words_);
  }

  void mark(std::size_t i) { data()[i / 64] |= bit(i); }
  void mark_all() { std::fill(data(), data() + words_, ~std::uint64_t{0}); }
  bool has(std::size_t i) const { return (data()[i / 64] & bit(i)) != 0; }
  // `other` must be for the same instance.
  void merge(const Evaluated& other) {
    for (std::size_t w = 0; w < words_; ++w) data()[w] |= other.data()[w];
  }

 private:
  static std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << (i % 64); }
  std::uint64_t* data() { return large_ ? large_.get() : small_.data(); }
  const std::uint64_t* data() const { return large_ ? large_.get() : small_.data(); }

  std::size_t words_;
  std::array<std::uint64_t, 4> small_{};
  std::unique_ptr<std::uint64_t[]> large_;
};

}  // namespace gantry::schema::detail
