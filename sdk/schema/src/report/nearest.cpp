#include <gantry/schema/nearest.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

namespace gantry::schema {
namespace {

constexpr std::size_t kLongest = 64;
using Row = std::array<std::size_t, kLongest + 1>;

std::string folded(std::string_view word) {
  std::string out;
  for (const char c : word) {
    if (c == '_' || c == '-') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

// One row of the table: distances from a's first i + 1 bytes to every prefix of b.
void next_row(std::string_view a, std::string_view b, std::size_t i, const Row& two_up,
              const Row& up, Row& row) {
  row[0] = i + 1;
  for (std::size_t j = 0; j < b.size(); ++j) {
    const std::size_t replaced = up[j] + (a[i] == b[j] ? 0 : 1);
    row[j + 1] = std::min({up[j + 1] + 1, row[j] + 1, replaced});
    if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j]) {
      row[j + 1] = std::min(row[j + 1], two_up[j - 1] + 1);
    }
  }
}

template <class Words>
std::optional<std::string_view> find_nearest(std::string_view word, const Words& candidates) {
  const std::string wanted = folded(word.substr(0, kLongest + 1));
  const std::size_t limit = std::max<std::size_t>(1, wanted.size() / 3);
  if (wanted.empty()) return std::nullopt;
  std::size_t best = limit + 1;
  std::optional<std::string_view> found;
  for (const std::string_view candidate : candidates) {
    const std::string name = folded(candidate.substr(0, kLongest + 1));
    const std::size_t distance = edit_distance(wanted, name, limit);
    // Replacing every letter turns any word into any other of its length; that is no similarity.
    if (distance >= best || distance >= std::max(wanted.size(), name.size())) continue;
    best = distance;
    found = candidate;
  }
  return found;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a == b) return 0;
  if (a.size() > kLongest || b.size() > kLongest) return limit + 1;
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return limit + 1;
  std::array<Row, 3> rows{};
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    next_row(a, b, i, rows[(i + 2) % 3], rows[i % 3], rows[(i + 1) % 3]);
  }
  return std::min(rows[a.size() % 3][b.size()], limit + 1);
}

std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> candidates) {
  return find_nearest(word, candidates);
}

std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string> candidates) {
  return find_nearest(word, candidates);
}

}  // namespace gantry::schema
