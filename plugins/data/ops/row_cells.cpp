#include "ops/row_cells.hpp"

#include <algorithm>

#include "ops/sheet.hpp"

namespace gantry::data {

bool RowCells::append_text(std::size_t column, std::string& out) const {
  const std::size_t begin = out.size();
  const FieldForm::Shown shown = plan_.append_shown(row_, entries_[column], out);
  if (shown != FieldForm::Shown::json) return shown == FieldForm::Shown::text;
  const std::string json = out.substr(begin);
  out.resize(begin);
  const Json value = parse_row(json);
  append_cell_text(value, out);
  return !value.is_null();
}

bool RowCells::append_json(std::size_t column, std::string& out) const {
  const std::size_t begin = out.size();
  plan_.append_entry(row_, entries_[column], out);
  // Stored JSON may be surrounded by white space.
  constexpr std::string_view kBlanks = " \t\r\n";
  out.resize(out.find_last_not_of(kBlanks) + 1);
  if (kBlanks.find(out[begin]) != std::string_view::npos) {
    out.erase(begin, out.find_first_not_of(kBlanks, begin) - begin);
  }
  return true;
}

std::optional<std::vector<std::size_t>> entries_of(const std::vector<Column>& columns,
                                                   const std::vector<std::string>& names) {
  std::vector<std::size_t> entries;
  for (std::size_t i = 0; i < names.size() && columns.empty(); ++i) {
    if (!is_mark(names[i])) entries.push_back(i);
  }
  for (const Column& column : columns) {
    const auto found = std::find(names.begin(), names.end(), column.path);
    if (found == names.end()) return std::nullopt;
    entries.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  return entries;
}

}  // namespace gantry::data
