// The largest documents, and the time and memory of a pipeline over them, for tests.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "pipeline/stage.hpp"

namespace gantry::data::budget_tests {

inline constexpr std::size_t kMiB = std::size_t{1} << 20;

// JSON with ' for ", for legibility.
Value parse(std::string_view json);

// Every class contains several copies of the same document:
//   t  text of 15 MiB, all a           s  text of 8 MiB, all a but for a b at its end
//   e  text of 8 MiB of é              u  short text
//   n  array of 500,000 ints           m  array of 100,000 that are all `t`
//   w  array of 200,000 texts          o  object of 100,000 members
//   p  array of 100,000 {k, v}         d  date           i  int, one more in each document
//   g  polygon of 20,000 positions
class Load final : public pipeline::Classes {
 public:
  Load();
  // The number of copies; the first class of a pipeline is scanned first.
  std::size_t count = 1;

  void check(std::string_view) override {}
  pipeline::StreamPtr scan(std::string_view name, const pipeline::ScanHint& wanted) override;
  // Processor time of a copy of `t` in new memory: 3 ms where page faults are cheap, 50 ms on some
  // virtual machines.
  double copy_ms() const { return copy_ms_; }

 private:
  Value document_;
  double copy_ms_;
};

struct Taken {
  double milliseconds = 0;  // of processor time, including the release of memory
  std::size_t grown = 0;    // peak of resident bytes, beyond those before
  std::string error;        // "" or the refusal
};

// Runs `stages`, given as a JSON array, to the last document.
Taken run(Load& load, std::string_view stages, const Budget& budget);

// Factors for the overhead of a sanitizer in memory and time: 1 without one.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int kSlower = 12;  // -O1 with checks, on a machine with other load
inline constexpr int kLarger = 4;   // redzones around small blocks, and the quarantine
#else
inline constexpr int kSlower = 1;
inline constexpr int kLarger = 1;
#endif

}  // namespace gantry::data::budget_tests
