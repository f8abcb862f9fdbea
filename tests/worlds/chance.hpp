// tests/worlds/chance.hpp: choices that a seed determines, the same ones on every machine.
//
// A value of one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace gantry::worlds {

class Chance {
 public:
  explicit Chance(std::uint32_t seed) : generator_(seed) {}
  std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(generator_() % n); }
  bool once_in(std::size_t n) { return below(n) == 0; }
  bool percent(std::uint32_t share) { return below(100) < share; }
  // One of them; "" of none.
  std::string of(const std::vector<std::string>& choices) {
    return choices.empty() ? std::string() : choices[below(choices.size())];
  }

 private:
  std::mt19937 generator_;
};

}  // namespace gantry::worlds
