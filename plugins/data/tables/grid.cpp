#include "tables/grid.hpp"

#include <algorithm>

#include "tables/cell.hpp"

namespace gantry::data {
namespace {

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::vector<std::size_t> widths_of(const Grid& grid) {
  std::vector<std::size_t> widths;
  for (const std::string& header : grid.headers) widths.push_back(width(header));
  for (const auto& row : grid.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  return widths;
}

template <class Cell>
void append_line(std::string& out, const std::vector<std::string>& cells, Cell format) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += "  ";
    out += format(cells[i], i);
  }
  out += '\n';
}

}  // namespace

void Grid::add(const CellSource& cells) {
  auto& row = rows.emplace_back(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) (void)cells.append_text(i, row[i]);
}

Grid grid_of(const JsonRows& rows) {
  Grid grid;
  grid.headers = rows.headers;
  for (const Cells& row : rows.rows) grid.add(PickedCells(row));
  return grid;
}

std::size_t table_size(const Grid& grid) {
  if (grid.headers.empty()) return 0;
  const std::vector<std::size_t> widths = widths_of(grid);
  std::size_t line = 0;
  for (const std::size_t cell : widths) line += cell + 2;
  return (line - widths.back()) * (grid.rows.size() + 2);
}

std::string as_table(const Grid& grid) {
  if (grid.headers.empty()) return {};
  const std::vector<std::size_t> widths = widths_of(grid);
  const auto format = [&](const std::string& text, std::size_t i) {
    std::string padded = one_line(text);
    if (i + 1 < widths.size()) padded.append(widths[i] - width(padded), ' ');
    return padded;
  };
  std::string out;
  append_line(out, grid.headers, format);
  append_line(out, grid.headers,
              [&](const std::string&, std::size_t i) { return std::string(widths[i], '-'); });
  for (const auto& row : grid.rows) append_line(out, row, format);
  return out;
}

}  // namespace gantry::data
