#include "tables/json_rows.hpp"

#include <unordered_map>

#include "tables/cell_source.hpp"
#include "tables/row_writer.hpp"

namespace gantry::data {

bool read_rows(std::string_view text, JsonRows& rows) {
  std::unordered_map<std::string, std::size_t> column;
  const auto parsed = Json::parse(text);
  if (!parsed) return false;
  for (const Json row : parsed->elements()) {
    auto& cells = rows.rows.emplace_back(rows.headers.size());
    for (const auto& [name, value] : row.members()) {
      const auto [it, added] = column.emplace(name, rows.headers.size());
      if (added) rows.headers.push_back(name);
      if (cells.size() < rows.headers.size()) cells.resize(rows.headers.size());
      cells[it->second] = value;
    }
  }
  for (auto& cells : rows.rows) cells.resize(rows.headers.size());
  return true;
}

std::string write_rows(const JsonRows& rows, std::string_view format) {
  std::string out;
  const auto writer = make_row_writer(format);
  writer->begin(rows.headers, out);
  for (const Cells& row : rows.rows) writer->row(PickedCells(row), out);
  return out;
}

}  // namespace gantry::data
