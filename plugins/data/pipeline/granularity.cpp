#include "pipeline/granularity.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "pipeline/spec.hpp"

namespace gantry::data::pipeline {
namespace {

using Series = std::vector<double>;

struct Renard {
  std::string_view name;
  int step;  // step in R80
};

// The Renard numbers of R80; the shorter series use every second, fourth, … one. R5 has numbers of
// two digits.
constexpr std::array<int, 80> kR80 = {
    100, 103, 106, 109, 112, 115, 118, 122, 125, 128, 132, 136, 140, 145, 150, 155,
    160, 165, 170, 175, 180, 185, 190, 195, 200, 206, 212, 218, 224, 230, 236, 243,
    250, 258, 265, 272, 280, 290, 300, 307, 315, 325, 335, 345, 355, 365, 375, 387,
    400, 412, 425, 437, 450, 462, 475, 487, 500, 515, 530, 545, 560, 580, 600, 615,
    630, 650, 670, 690, 710, 730, 750, 775, 800, 825, 850, 875, 900, 925, 950, 975};
constexpr Renard kRenards[] = {{"R10", 8}, {"R20", 4}, {"R40", 2}, {"R80", 1}};

// The E series up to E24 were fixed before their formula and deviate from it.
constexpr std::array<int, 24> kE24 = {10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30,
                                      33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91};

template <std::size_t kSize>
Series every(const std::array<int, kSize>& numbers, int step) {
  Series series;
  for (std::size_t i = 0; i < kSize; i += static_cast<std::size_t>(step)) {
    series.push_back(numbers[i]);
  }
  return series;
}

Series by_formula(int count) {
  Series series;
  for (int i = 0; i < count; ++i) {
    const double number = std::round(std::pow(10.0, static_cast<double>(i) / count) * 100);
    series.push_back(number == 919 ? 920 : number);  // the standard's exception to the formula
  }
  return series;
}

Series series_of(std::string_view name) {
  if (name == "POWERSOF2") return {};
  if (name == "1-2-5") return {10, 20, 50};
  if (name == "R5") return {10, 16, 25, 40, 63};
  for (const Renard& renard : kRenards) {
    if (renard.name == name) return every(kR80, renard.step);
  }
  if (name == "E6") return every(kE24, 4);
  if (name == "E12") return every(kE24, 2);
  if (name == "E24") return every(kE24, 1);
  if (name == "E48") return by_formula(48);
  if (name == "E96") return by_formula(96);
  if (name == "E192") return by_formula(192);
  refuse("$bucketAuto",
         "'granularity' must be R5, R10, R20, R40, R80, 1-2-5, E6, E12, E24, E48, E96, E192 or "
         "POWERSOF2");
}

Value power_of_two(double exponent) {
  const double power = std::exp2(exponent);
  const bool is_whole = exponent >= 0 && exponent < 63;
  return is_whole ? Value::integer(static_cast<std::int64_t>(power)) : Value::real(power);
}

}  // namespace

Granularity::Granularity(std::string_view name) : series_(series_of(name)) {}

Value Granularity::round_up(double number) const {
  if (number == 0 || std::isinf(number)) return Value::real(number);
  if (series_.empty()) return power_of_two(std::floor(std::log2(number)) + 1);
  double scale = 1;
  while (number >= series_.back() * scale) scale *= 10;
  while (number < series_.front() * scale) {
    const double above = series_.front() * scale;
    scale /= 10;
    if (number >= series_.back() * scale) return Value::real(above);
  }
  const auto above =
      std::upper_bound(series_.begin(), series_.end(), number,
                       [&](double a, double of_series) { return a < of_series * scale; });
  // Reached only near 0, where the scale itself loses digits.
  return Value::real((above == series_.end() ? series_.front() * 10 : *above) * scale);
}

Value Granularity::round_down(double number) const {
  if (number == 0 || std::isinf(number)) return Value::real(number);
  if (series_.empty()) return power_of_two(std::ceil(std::log2(number)) - 1);
  double scale = 1;
  while (number <= series_.front() * scale) scale /= 10;
  if (scale == 0) return Value::real(0);  // no double above 0 is below the least ones
  while (number > series_.back() * scale) {
    const double below = series_.back() * scale;
    scale *= 10;
    if (number <= series_.front() * scale) return Value::real(below);
  }
  const auto at =
      std::lower_bound(series_.begin(), series_.end(), number,
                       [&](double of_series, double a) { return of_series * scale < a; });
  return Value::real((at == series_.begin() ? series_.back() / 10 : *(at - 1)) * scale);
}

}  // namespace gantry::data::pipeline
