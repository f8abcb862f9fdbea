#include "store/sqlite/statistics.hpp"

#include <algorithm>
#include <charconv>

#include "catalog/column_type.hpp"

namespace gantry::data::sqlite {
namespace {

// The leading non-negative numbers of "1000 20 1", up to the first other word.
std::vector<std::int64_t> numbers_in(std::string_view text) {
  std::vector<std::int64_t> numbers;
  while (!text.empty()) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || number < 0) break;
    numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  return numbers;
}

}  // namespace

// sqlite_stat1 has for each index the rows of its table, then the rows per value.
Result<Statistics> Statistics::read(Connection& connection, const CreateWords& indexes) {
  Statistics found;
  auto known = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'");
  if (!known) return known.status();
  const bool has_run = known->next();
  if (!known->status()) return known->status();
  if (!has_run) return found;
  auto row = connection.prepare("SELECT tbl, idx, stat FROM sqlite_stat1");
  if (!row) return row.status();
  while (row->next()) {
    std::vector<std::int64_t> numbers = numbers_in(row->text(2));
    const auto index = indexes.find(lower(row->text(1)));
    const bool tells = index != indexes.end() && tells_of_internal(index->second);
    if (numbers.empty() || tells) continue;
    auto& rows = found.rows_[lower(row->text(0))];
    rows = std::max(rows, numbers.front());
    numbers.erase(numbers.begin());
    if (!row->is_null(1)) found.rows_of_value_[lower(row->text(1))] = std::move(numbers);
  }
  if (!row->status()) return row->status();
  return found;
}

std::optional<std::int64_t> Statistics::rows_of(std::string_view table) const {
  const auto found = rows_.find(lower(table));
  return found == rows_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::int64_t> Statistics::rows_of_value(std::string_view index) const {
  const auto found = rows_of_value_.find(lower(index));
  return found == rows_of_value_.end() ? std::vector<std::int64_t>() : found->second;
}

}  // namespace gantry::data::sqlite
