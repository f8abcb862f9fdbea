// tests/perf/bare_rows.hpp: prints columns of the bare sqlite3 API as JSON, for the limits that the
// data engine is measured beside.
#pragma once

#include <sqlite3.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace gantry::perf {

inline void print_text(const unsigned char* text, int size, std::string& out) {
  out += '"';
  for (int i = 0; i < size; ++i) {
    const unsigned char c = text[i];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
      out += escaped;
    } else {
      out += static_cast<char>(c);
    }
  }
  out += '"';
}

inline void print_double(double value, std::string& out) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  out += text;
  if (text.find_first_of(".e") == std::string_view::npos) out += ".0";
}

inline void print_integer(std::int64_t value, std::string& out) {
  char buffer[24];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  out.append(buffer, static_cast<std::size_t>(end - buffer));
}

inline void print_column(sqlite3_stmt* stmt, int column, std::string& out) {
  switch (sqlite3_column_type(stmt, column)) {
    case SQLITE_INTEGER:
      print_integer(sqlite3_column_int64(stmt, column), out);
      break;
    case SQLITE_FLOAT:
      print_double(sqlite3_column_double(stmt, column), out);
      break;
    case SQLITE_TEXT: {
      const auto* text = sqlite3_column_text(stmt, column);
      print_text(text, sqlite3_column_bytes(stmt, column), out);
      break;
    }
    default:
      out += "null";
  }
}

}  // namespace gantry::perf
