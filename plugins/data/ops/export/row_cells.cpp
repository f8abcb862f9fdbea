#include "ops/export/row_cells.hpp"

#include <algorithm>

#include "ops/export/sheet.hpp"

namespace gantry::data {

bool RowCells::append_text(std::size_t column, std::string& out) const {
  using Shown = FieldForm::Shown;
  const std::size_t begin = out.size();
  const auto& [form, place] = printer_.reader().entries()[entries_[column]];
  if (form.is(FieldForm::Type::id)) return printer_.reader().append_id(row_, out), true;
  const Shown shown = form.append_shown(row_[place], printer_.form(), out);
  if (shown != Shown::json) return shown == Shown::text;
  const std::string json = out.substr(begin);
  out.resize(begin);
  const Json value = parse_row(json);
  append_cell_text(value, out);
  return !value.is_null();
}

bool RowCells::append_json(std::size_t column, std::string& out) const {
  const std::size_t begin = out.size();
  JsonAppender json(out);
  printer_.write(row_, entries_[column], json);
  json.flush();
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
