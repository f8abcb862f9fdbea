#include "tables/grid.hpp"

#include <algorithm>
#include <unordered_map>

#include "tables/cell.hpp"

namespace gantry::data {
namespace {

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string csv_cell(const std::string& text) {
  std::string cell;
  append_csv_cell(text, cell);
  return cell;
}

std::string markdown_cell(const std::string& text) {
  std::string cell;
  append_markdown_cell(text, cell);
  return cell;
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
void append_line(std::string& out, const std::vector<std::string>& cells, std::string_view begin,
                 std::string_view between, std::string_view end, Cell format) {
  out += begin;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += between;
    out += format(cells[i], i);
  }
  out += end;
}

}  // namespace

void Grid::add(const CellSource& cells) {
  auto& row = rows.emplace_back(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) (void)cells.append_text(i, row[i]);
}

bool make_grid(std::string_view rows, Grid& grid) {
  std::unordered_map<std::string, std::size_t> column;
  const auto parsed = Json::parse(rows);
  if (!parsed) return false;
  for (const Json row : parsed->elements()) {
    auto& cells = grid.rows.emplace_back(grid.headers.size());
    for (const auto& [name, value] : row.members()) {
      const auto [it, added] = column.emplace(name, grid.headers.size());
      if (added) grid.headers.push_back(name);
      if (cells.size() < grid.headers.size()) cells.resize(grid.headers.size());
      cells[it->second].clear();
      append_cell_text(value, cells[it->second]);
    }
  }
  for (auto& cells : grid.rows) cells.resize(grid.headers.size());
  return true;
}

std::string as_csv(const Grid& grid) {
  if (grid.headers.empty()) return {};
  std::string out;
  const auto format = [](const std::string& text, std::size_t) { return csv_cell(text); };
  append_line(out, grid.headers, "", ",", "\n", format);
  for (const auto& row : grid.rows) append_line(out, row, "", ",", "\n", format);
  return out;
}

std::string as_markdown(const Grid& grid) {
  if (grid.headers.empty()) return {};
  std::string out;
  const auto format = [](const std::string& text, std::size_t) { return markdown_cell(text); };
  append_line(out, grid.headers, "| ", " | ", " |\n", format);
  append_line(out, grid.headers, "|", "|", "|\n",
              [](const std::string&, std::size_t) { return std::string(" --- "); });
  for (const auto& row : grid.rows) append_line(out, row, "| ", " | ", " |\n", format);
  return out;
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
  append_line(out, grid.headers, "", "  ", "\n", format);
  append_line(out, grid.headers, "", "  ", "\n",
              [&](const std::string&, std::size_t i) { return std::string(widths[i], '-'); });
  for (const auto& row : grid.rows) append_line(out, row, "", "  ", "\n", format);
  return out;
}

}  // namespace gantry::data
