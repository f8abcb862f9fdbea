#include "tools/gantry/import/json_row.hpp"

#include <utility>

#include "write/special.hpp"

namespace gantry::cli::importing {
namespace {

rapidjson::SizeType json_length(std::string_view text) {
  return static_cast<rapidjson::SizeType>(text.size());
}

}  // namespace

Row& JsonRow::refuse(std::size_t number, std::size_t line, std::string reason) {
  row_.number = number;
  row_.line = line;
  row_.fields.clear();
  row_.reason = std::move(reason);
  depth_ = 0;
  return row_;
}

void JsonRow::restart_text() {
  text_.Clear();
  writer_.Reset(text_);
}

void JsonRow::begin(std::size_t number, std::size_t line) {
  refuse(number, line, "");
  depth_ = 1;
  if (!whole_) return;
  restart_text();
  writer_.StartObject();
}

Row& JsonRow::end() {
  depth_ = 0;
  if (!whole_) return row_;
  writer_.EndObject();
  row_.json.assign(text_.GetString(), text_.GetSize());
  return row_;
}

void JsonRow::add(Cell cell) { row_.fields.push_back({std::move(key_), std::move(cell)}); }

void JsonRow::add_null() { writes() ? void(writer_.Null()) : add({}); }

void JsonRow::add_boolean(bool value) {
  if (writes()) return void(writer_.Bool(value));
  Cell cell;
  cell.type = Cell::Type::boolean;
  cell.integer = value;
  add(std::move(cell));
}

void JsonRow::add_number(std::string_view text) {
  if (!writes()) return add(write::number_cell(text));
  if (whole_ && write::number_cell(text).is(Cell::Type::big_number)) {
    row_.reason = key_ + ": " + std::string(text) +
                  " is beyond 64 bits; write it as text, or as {\"$numberDouble\":\"…\"}";
  }
  writer_.RawValue(text.data(), text.size(), rapidjson::kNumberType);
}

void JsonRow::add_text(std::string_view text) {
  if (writes()) return void(writer_.String(text.data(), json_length(text)));
  Cell cell;
  cell.type = Cell::Type::text;
  cell.text = text;
  add(std::move(cell));
}

void JsonRow::add_key(std::string_view name) {
  if (at_fields()) key_ = name;
  if (at_fields() && whole_) row_.fields.push_back({key_, {}});
  if (depth_ == 2) special_ = special_ || name == "__type" || name.starts_with('$');
  if (writes()) writer_.Key(name.data(), json_length(name));
}

void JsonRow::begin_value() {
  if (at_fields()) {
    special_ = false;
    if (!whole_) restart_text();
  }
  ++depth_;
}

void JsonRow::end_value() {
  --depth_;
  if (whole_ || !at_fields()) return;
  Cell cell;
  cell.type = Cell::Type::nested;
  cell.text.assign(text_.GetString(), text_.GetSize());
  if (special_) read_special(cell);
  add(std::move(cell));
}

void JsonRow::begin_object() {
  begin_value();
  writer_.StartObject();
}

void JsonRow::end_object() {
  writer_.EndObject();
  end_value();
}

void JsonRow::begin_array() {
  begin_value();
  writer_.StartArray();
}

void JsonRow::end_array() {
  writer_.EndArray();
  end_value();
}

}  // namespace gantry::cli::importing
