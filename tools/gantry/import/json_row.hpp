// tools/gantry/import/json_row.hpp: one row from the events of a JSON parser within its object.
//
// Values below the row's own fields are kept as text, numbers as they were written. The row and its
// memory are used again for the next one. One thread.
#pragma once

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "tools/gantry/import/row.hpp"

namespace gantry::cli::importing {

class JsonRow {
 public:
  // `whole`: the row is the text of its object.
  explicit JsonRow(bool whole) : whole_(whole) {}

  // A row that cannot be read.
  Row& refuse(std::size_t number, std::size_t line, std::string reason);

  // The object has begun; end() must be called when it has ended.
  void begin(std::size_t number, std::size_t line);
  Row& end();
  bool is_open() const { return depth_ != 0; }
  bool at_fields() const { return depth_ == 1; }  // not within a field's value

  void add_null();
  void add_boolean(bool value);
  void add_number(std::string_view text);
  void add_text(std::string_view text);
  void add_key(std::string_view name);
  void begin_object();
  void end_object();
  void begin_array();
  void end_array();

 private:
  bool writes() const { return whole_ || depth_ > 1; }
  void add(Cell cell);
  void begin_value();
  void end_value();
  void restart_text();

  const bool whole_;
  std::size_t depth_ = 0;  // 1: the row's object
  bool special_ = false;   // the field's value has a key like that of a date or a pointer
  Row row_;
  std::string key_;
  rapidjson::StringBuffer text_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_{text_};
};

}  // namespace gantry::cli::importing
