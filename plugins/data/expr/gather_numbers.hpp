// expr/gather_numbers.hpp: what is computed of many numbers: sums, averages, deviations, quantiles.
//
// The same classes serve $group and the expressions that take an array. What is no number does not
// count. A value type each; one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "expr/accumulator.hpp"
#include "expr/numbers.hpp"

namespace gantry::data::expr {

// The exact sum of ints and longs, a compensated one as soon as there is a double.
class Sum final : public Accumulator {
 public:
  void add(Value value) override;
  Value result() const override;

 private:
  Value::Type type_ = Value::Type::int32;
  std::int64_t high_ = 0;  // of the integers, whose sum is high · 2^32 + low
  std::int64_t low_ = 0;
  CompensatedSum real_;
};

// null without numbers, else a double.
class Average final : public Accumulator {
 public:
  // Expressions read longs as doubles, groups add them exactly.
  enum class Longs { exact, as_doubles };
  explicit Average(Longs longs) : longs_(longs) {}
  void add(Value value) override;
  Value result() const override;

 private:
  Longs longs_;
  std::int64_t count_ = 0;
  CompensatedSum sum_;
};

// The standard deviation: of the whole population, or estimated from a sample of it.
class Deviation final : public Accumulator {
 public:
  enum class Of { population, sample };
  explicit Deviation(Of of) : of_(of) {}
  void add(Value value) override;
  Value result() const override;

 private:
  Of of_;
  double count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

// How many values; also those that are missing.
class Count final : public Accumulator {
 public:
  void add(Value /*value*/) override { ++count_; }
  Value result() const override { return Value::integer(count_); }

 private:
  std::int64_t count_ = 0;
};

// The least number that at least the share p of all numbers does not exceed, for each p: exact,
// whatever "approximate" allows. NaN does not count.
class Quantiles final : public Accumulator {
 public:
  enum class Shape { array, single };
  Quantiles(std::vector<double> shares, Shape shape) : shares_(std::move(shares)), shape_(shape) {}
  void add(Value value) override;
  Value result() const override;

 private:
  std::vector<double> shares_;
  Shape shape_;
  std::vector<double, Metered<double>> numbers_;
};

}  // namespace gantry::data::expr
