// tools/gantry/import/json_rows.hpp: finds the rows among the events of a JSON parser.
//
// Three shapes: rows in an array, rows in the array "results" of an object, and one row alone. One
// row is in memory at a time. One thread.
#pragma once

#include <rapidjson/reader.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <gantry/status.hpp>

#include "tools/gantry/import/json_row.hpp"
#include "tools/gantry/import/row.hpp"
#include "tools/gantry/import/source.hpp"

namespace gantry::cli::importing {

// RapidJSON's handler. It parses numbers as strings, so that they arrive as they were written.
class JsonRows : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, JsonRows> {
 public:
  // `is_file`: the text is a whole file, not a row. `whole`: rows as text. Lines come from `line`.
  JsonRows(bool is_file, bool whole, std::function<std::size_t()> line)
      : is_file_(is_file), line_(std::move(line)), row_(whole) {}
  void start(const TakeRow& take, std::size_t rows_before);

  // Why parsing was stopped from here; fine when it was not.
  const Status& status() const { return status_; }
  bool found_rows() const { return found_; }  // an array of rows, or the row

  bool Null();
  bool Bool(bool value);
  bool RawNumber(const char* text, rapidjson::SizeType size, bool copy);
  bool String(const char* text, rapidjson::SizeType size, bool copy);
  bool Key(const char* text, rapidjson::SizeType size, bool copy);
  bool StartObject();
  bool EndObject(rapidjson::SizeType);
  bool StartArray();
  bool EndArray(rapidjson::SizeType);

 private:
  bool stop(std::string sentence);
  bool is_too_deep();
  bool deliver(Row& row);
  bool outside(std::string_view what);

  bool is_file_;
  std::function<std::size_t()> line_;
  const TakeRow* take_ = nullptr;
  Status status_;
  std::size_t number_ = 0;                   // of the last row
  std::size_t depth_ = 0, array_depth_ = 0;  // array_depth_: within the array of rows; 0: none
  bool found_ = false, named_results_ = false;
  JsonRow row_;
};

}  // namespace gantry::cli::importing
