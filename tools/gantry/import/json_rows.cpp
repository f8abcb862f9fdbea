#include "tools/gantry/import/json_rows.hpp"

namespace gantry::cli::importing {
namespace {

constexpr std::size_t kDeepest = 200;

std::string_view view(const char* text, rapidjson::SizeType size) { return {text, size}; }

}  // namespace

void JsonRows::start(const TakeRow& take, std::size_t rows_before) {
  take_ = &take;
  status_ = {};
  depth_ = array_depth_ = 0;
  found_ = named_results_ = false;
  number_ = rows_before;
  row_.refuse(0, 0, "");
}

bool JsonRows::stop(std::string sentence) {
  status_ = Status::failed(std::move(sentence));
  return false;
}

bool JsonRows::is_too_deep() {
  return depth_ >= kDeepest && !stop("values are nested more than 200 deep");
}

bool JsonRows::deliver(Row& row) {
  status_ = (*take_)(row);
  return bool(status_);
}

// A value at the place of a row, or beside the rows.
bool JsonRows::outside(std::string_view what) {
  if (!is_file_) return stop("is " + std::string(what) + ", not an object");
  if (depth_ == 0) {
    return stop("a file of JSON is an array of objects or {\"results\":[…]}, not " +
                std::string(what));
  }
  if (array_depth_ == 0 || depth_ != array_depth_) return true;
  return deliver(row_.refuse(++number_, line_(), "is " + std::string(what) + ", not an object"));
}

bool JsonRows::Null() {
  if (!row_.is_open()) return outside(describe(Cell::Type::null));
  row_.add_null();
  return true;
}

bool JsonRows::Bool(bool value) {
  if (!row_.is_open()) return outside(describe(Cell::Type::boolean));
  row_.add_boolean(value);
  return true;
}

bool JsonRows::RawNumber(const char* text, rapidjson::SizeType size, bool) {
  if (!row_.is_open()) return outside(describe(write::number_cell(view(text, size)).type));
  row_.add_number(view(text, size));
  return true;
}

bool JsonRows::String(const char* text, rapidjson::SizeType size, bool) {
  if (!row_.is_open()) return outside(describe(Cell::Type::text));
  row_.add_text(view(text, size));
  return true;
}

bool JsonRows::Key(const char* text, rapidjson::SizeType size, bool) {
  if (row_.is_open()) {
    row_.add_key(view(text, size));
  } else {
    named_results_ = depth_ == 1 && view(text, size) == "results";
  }
  return true;
}

bool JsonRows::StartObject() {
  if (is_too_deep()) return false;
  const bool is_row = depth_ == array_depth_ && (array_depth_ != 0 || !is_file_);
  if (row_.is_open()) {
    row_.begin_object();
  } else if (is_row) {
    row_.begin(++number_, line_());
    found_ = true;
  }
  ++depth_;
  return true;
}

bool JsonRows::EndObject(rapidjson::SizeType) {
  --depth_;
  if (!row_.is_open()) return true;
  if (row_.at_fields()) return deliver(row_.end());
  row_.end_object();
  return true;
}

bool JsonRows::StartArray() {
  if (is_too_deep()) return false;
  if (row_.is_open()) {
    row_.begin_array();
    return ++depth_, true;
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
  if (row_.is_open()) {
    row_.end_array();
  } else if (depth_ == array_depth_) {
    array_depth_ = 0;
  }
  --depth_;
  return true;
}

}  // namespace gantry::cli::importing
