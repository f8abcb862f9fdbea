// tools/gantry/import/json_rows.hpp: the events of a JSON parser as rows.
//
// Three shapes: rows in an array, rows in the array "results" of an object, and one row alone. One
// row is in memory at a time. Values below a row's own fields are kept as text, numbers as they
// were written. One thread.
#pragma once

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstddef>
#include <functional>
#include <string>

#include <gantry/status.hpp>

#include "tools/gantry/import/row.hpp"
#include "tools/gantry/import/source.hpp"

namespace gantry::cli::importing {

class JsonRows {
 public:
  // `is_file`: the text is a whole file, not a row. `whole`: rows as text. Lines come from `line`.
  JsonRows(bool is_file, bool whole, std::function<std::size_t()> line)
      : is_file_(is_file), whole_(whole), line_(std::move(line)) {}
  void start(const TakeRow& take, std::size_t rows_before);

  // Why parsing was stopped from here; fine when it was not.
  const Status& status() const { return status_; }
  bool found_rows() const { return found_; }  // an array of rows, or the row
  std::size_t rows() const { return row_.number; }

  bool Null() {
    return scalar({}, [&] { return writer_.Null(); });
  }
  bool Bool(bool value);
  bool RawNumber(const char* text, rapidjson::SizeType size, bool copy);
  bool String(const char* text, rapidjson::SizeType size, bool copy);
  bool Key(const char* text, rapidjson::SizeType size, bool copy);
  bool StartObject();
  bool EndObject(rapidjson::SizeType);
  bool StartArray();
  bool EndArray(rapidjson::SizeType);
  // Never called: numbers come as they were written.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }

 private:
  using Writer = rapidjson::Writer<rapidjson::StringBuffer>;
  bool stop(std::string sentence);
  bool begin_row();
  bool end_row();
  bool in_row() const { return row_depth_ != 0; }
  bool at_field() const { return depth_ == row_depth_; }
  bool writes() const { return in_row() && (whole_ || depth_ > row_depth_); }
  bool scalar(Cell cell, const std::function<bool()>& write);
  bool deeper();
  void restart_text();
  void end_nested();
  bool outside(std::string_view what);

  bool is_file_, whole_;
  std::function<std::size_t()> line_;
  const TakeRow* take_ = nullptr;
  Status status_;
  std::size_t depth_ = 0, row_depth_ = 0, array_depth_ = 0;
  bool found_ = false, named_results_ = false, special_ = false;
  Row row_;
  std::string key_;
  rapidjson::StringBuffer text_;
  Writer writer_{text_};
};

}  // namespace gantry::cli::importing
