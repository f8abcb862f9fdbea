#include "tools/gantry/import/json_rows.hpp"

#include "write/special.hpp"

namespace gantry::cli::importing {
namespace {

constexpr std::size_t kDeepest = 200;

std::string_view view(const char* text, rapidjson::SizeType size) { return {text, size}; }

}  // namespace

void JsonRows::start(const TakeRow& take, std::size_t rows_before) {
  take_ = &take;
  status_ = {};
  depth_ = row_depth_ = array_depth_ = 0;
  found_ = named_results_ = special_ = false;
  row_.number = rows_before;
}

bool JsonRows::stop(std::string sentence) {
  status_ = Status::failed(std::move(sentence));
  return false;
}

// A value at the place of a row, or beside the rows.
bool JsonRows::outside(std::string_view what) {
  if (!is_file_) return stop("is " + std::string(what) + ", not an object");
  if (depth_ == 0) {
    return stop("a file of JSON is an array of objects or {\"results\":[…]}, not " +
                std::string(what));
  }
  if (array_depth_ != 0 && depth_ == array_depth_) {
    ++row_.number;
    row_.line = line_();
    row_.fields.clear();
    row_.reason = "is " + std::string(what) + ", not an object";
    status_ = (*take_)(row_);
    row_.reason.clear();
    return bool(status_);
  }
  return true;
}

void JsonRows::restart_text() {
  text_.Clear();
  writer_.Reset(text_);
}

bool JsonRows::begin_row() {
  ++row_.number;
  row_.line = line_();
  row_.fields.clear();
  row_.reason.clear();
  row_depth_ = depth_ + 1;
  found_ = true;
  if (whole_) restart_text();
  return true;
}

bool JsonRows::end_row() {
  row_depth_ = 0;
  if (whole_) row_.json.assign(text_.GetString(), text_.GetSize());
  status_ = (*take_)(row_);
  return bool(status_);
}

bool JsonRows::scalar(Cell cell, const std::function<bool()>& write) {
  if (!in_row()) return outside(describe(cell.type));
  if (writes()) return write();
  row_.fields.push_back({std::move(key_), std::move(cell)});
  return true;
}

bool JsonRows::Bool(bool value) {
  return scalar({.type = Cell::Type::boolean, .integer = value, .text = {}, .target = {}},
                [&] { return writer_.Bool(value); });
}

bool JsonRows::RawNumber(const char* text, rapidjson::SizeType size, bool) {
  if (whole_ && in_row() && write::number_cell(view(text, size)).is(Cell::Type::big_number)) {
    row_.reason = key_ + ": " + std::string(view(text, size)) +
                  " is beyond 64 bits; write it as text, or as {\"$numberDouble\":\"…\"}";
  }
  if (writes()) return writer_.RawValue(text, size, rapidjson::kNumberType);
  return scalar(write::number_cell(view(text, size)), [] { return true; });
}

bool JsonRows::String(const char* text, rapidjson::SizeType size, bool) {
  if (writes()) return writer_.String(text, size);
  Cell cell;
  cell.type = Cell::Type::text;
  cell.text.assign(text, size);
  return scalar(std::move(cell), [] { return true; });
}

bool JsonRows::Key(const char* text, rapidjson::SizeType size, bool) {
  if (!in_row()) {
    named_results_ = depth_ == 1 && view(text, size) == "results";
    return true;
  }
  if (at_field()) key_.assign(text, size);
  if (at_field() && whole_) row_.fields.push_back({key_, {}});
  if (depth_ == row_depth_ + 1) {
    special_ = special_ || view(text, size) == "__type" || (size > 0 && text[0] == '$');
  }
  return !writes() || writer_.Key(text, size);
}

// Before an object or array begins.
bool JsonRows::deeper() {
  if (depth_ >= kDeepest) return stop("values are nested more than 200 deep");
  if (in_row() && at_field()) {
    special_ = false;
    if (!whole_) restart_text();
  }
  return true;
}

bool JsonRows::StartObject() {
  if (!deeper()) return false;
  const bool is_row = !in_row() && depth_ == array_depth_ && (is_file_ ? array_depth_ != 0 : true);
  if (is_row) begin_row();
  ++depth_;
  return !(in_row() && (whole_ || depth_ > row_depth_)) || writer_.StartObject();
}

void JsonRows::end_nested() {
  if (whole_ || !in_row() || !at_field()) return;
  Cell cell;
  cell.type = Cell::Type::nested;
  cell.text.assign(text_.GetString(), text_.GetSize());
  if (special_) read_special(cell);
  row_.fields.push_back({std::move(key_), std::move(cell)});
}

bool JsonRows::EndObject(rapidjson::SizeType) {
  if (in_row() && depth_ == row_depth_) {
    if (whole_) writer_.EndObject();
    --depth_;
    return end_row();
  }
  if (in_row()) writer_.EndObject();
  --depth_;
  end_nested();
  return true;
}

bool JsonRows::StartArray() {
  if (!deeper()) return false;
  if (in_row()) {
    ++depth_;
    return writer_.StartArray();
  }
  const bool holds_rows =
      is_file_ && array_depth_ == 0 && (depth_ == 0 || (depth_ == 1 && named_results_));
  if (!holds_rows && !outside("an array")) return false;
  ++depth_;
  if (holds_rows) array_depth_ = depth_;
  found_ = found_ || holds_rows;
  return true;
}

bool JsonRows::EndArray(rapidjson::SizeType) {
  if (in_row()) writer_.EndArray();
  if (!in_row() && depth_ == array_depth_) array_depth_ = 0;
  --depth_;
  end_nested();
  return true;
}

}  // namespace gantry::cli::importing
