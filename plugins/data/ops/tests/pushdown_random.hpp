// Random tables and pipelines for pushdown_test.cpp; a seed gives the same ones on every machine.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

namespace gantry::data {

class Chance {
 public:
  explicit Chance(std::uint32_t seed) : generator_(seed) {}
  std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(generator_() % n); }
  bool once_in(std::size_t n) { return below(n) == 0; }
  std::string of(const std::vector<std::string>& choices) { return choices[below(choices.size())]; }

 private:
  std::mt19937 generator_;
};

// SQL that creates the tables `strict`, `sloppy` and `keyed` (WITHOUT ROWID) and fills them.
std::string random_tables(Chance& chance, int rows);

// A class and a pipeline over it, as arguments of aggregate.
std::string random_arguments(Chance& chance);

// The same over `target`, with a stage that contains a pipeline over another class.
std::string random_arguments_inside(Chance& chance);

}  // namespace gantry::data
