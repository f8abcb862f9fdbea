#include "core/grid.hpp"

#include <gantry/json.hpp>

#include <algorithm>
#include <unordered_map>

namespace query {
namespace {

using gantry::Json;

std::string cell(const Json& value) {
  if (value.is_null()) return {};
  if (auto text = value.as_string()) return *text;
  if (value.is_object()) {
    const auto type = value.find("__type");
    const auto kind = type ? type->as_string().value_or("") : std::string();
    const char* shown = kind == "Pointer" ? "objectId" : kind == "Date" ? "iso" : nullptr;
    if (const auto inner = shown ? value.find(shown) : std::nullopt) {
      if (auto text = inner->as_string()) return *text;
    }
  }
  return std::string(value.text());
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted += '"';
}

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string markdown_cell(const std::string& text) {
  std::string escaped;
  for (const char c : one_line(text)) {
    if (c == '|' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
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

Grid make_grid(std::string_view rows) {
  Grid grid;
  std::unordered_map<std::string, std::size_t> column;
  const auto parsed = Json::parse(rows);
  if (!parsed) return grid;
  for (const Json row : parsed->elements()) {
    auto& cells = grid.rows.emplace_back(grid.headers.size());
    for (const auto& [name, value] : row.members()) {
      const auto [it, added] = column.emplace(name, grid.headers.size());
      if (added) grid.headers.push_back(name);
      if (cells.size() < grid.headers.size()) cells.resize(grid.headers.size());
      cells[it->second] = cell(value);
    }
  }
  for (auto& cells : grid.rows) cells.resize(grid.headers.size());
  return grid;
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
  std::size_t line = 0;
  for (const std::size_t cell : widths_of(grid)) line += cell + 2;
  const std::size_t unpadded = grid.headers.empty() ? 0 : widths_of(grid).back();
  return (line - unpadded) * (grid.rows.size() + 2);
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

}  // namespace query
