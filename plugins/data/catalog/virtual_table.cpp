#include "catalog/virtual_table.hpp"

#include <algorithm>
#include <array>

#include "catalog/column_type.hpp"

namespace gantry::data {
namespace {

bool is_word(const std::vector<SqlWord>& words, std::size_t at, std::string_view text) {
  return at < words.size() && words[at].is_bare(text);
}

}  // namespace

std::string virtual_module(const std::vector<SqlWord>& words) {
  constexpr std::size_t kName = 3;
  const bool is_virtual = is_word(words, 0, "create") && is_word(words, 1, "virtual");
  if (!is_virtual || words.size() <= kName + 2) return {};
  const std::size_t at = words[kName + 1].is_sign('.') ? kName + 3 : kName + 1;
  return is_word(words, at, "using") && at + 1 < words.size() ? lower(words[at + 1].text) : "";
}

bool holds_rows(std::string_view module) {
  constexpr std::array<std::string_view, 6> kModules = {"fts3",  "fts4",      "fts5",
                                                        "rtree", "rtree_i32", "geopoly"};
  return std::find(kModules.begin(), kModules.end(), module) != kModules.end();
}

std::string virtual_option(const std::vector<SqlWord>& words, std::string_view option) {
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    if (is_word(words, i, option) && words[i + 1].is_sign('=')) return words[i + 2].text;
  }
  return {};
}

}  // namespace gantry::data
