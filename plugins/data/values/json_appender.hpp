// values/json_appender.hpp: appends many small pieces of JSON to a string.
//
// Pieces are collected in a buffer and appended together, because std::string::append costs more
// than most values do. Pieces that were not flushed are lost. One thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "values/iso_date.hpp"
#include "values/json_text.hpp"

namespace gantry::data {

class JsonAppender {
 public:
  // `out` must outlive this; until then change it through text() only.
  explicit JsonAppender(std::string& out) : out_(out) {}
  JsonAppender(const JsonAppender&) = delete;
  JsonAppender& operator=(const JsonAppender&) = delete;

  // Appended unchanged.
  void put(char c) { *room_for(1) = c, ++used_; }
  void put(std::string_view json) {
    if (json.size() > kRoom - used_) return put_long(json);
    copy(json);
  }

  // In the form of json_text.hpp and iso_date.hpp; the date without quotes.
  void integer(std::int64_t value) { end_at(write_json_integer(value, room_for(kMostOfANumber))); }
  void real(double value) { end_at(write_json_double(value, room_for(kMostOfANumber))); }
  void iso_date(std::int64_t milliseconds) {
    end_at(write_iso_date(milliseconds, room_for(kIsoDateSize)));
  }
  void short_iso_date(std::int64_t milliseconds) {
    iso_date(milliseconds);
    if (milliseconds % 1000 != 0) return;
    used_ -= 4;  // ".000Z" becomes "Z"
    room_[used_ - 1] = 'Z';
  }
  // "text" with quotes. Returns false and appends nothing when it is not UTF-8.
  bool string(std::string_view text) {
    const bool fits = text.size() + 2 <= kRoom - used_;
    if (!fits || plain_json_bytes(text) != text.size())
      return append_json_string(text, this->text());
    room_[used_++] = '"';
    copy(text);
    room_[used_++] = '"';
    return true;
  }

  // The length of the string with all appended pieces.
  std::size_t size() const { return out_.size() + used_; }
  // Flushes and returns the string, for code that appends to it directly.
  std::string& text() {
    flush();
    return out_;
  }
  void flush() {
    out_.append(room_.data(), used_);
    used_ = 0;
  }

 private:
  static constexpr std::size_t kRoom = 512;

  char* room_for(std::size_t bytes) {
    if (bytes > kRoom - used_) flush();
    return room_.data() + used_;
  }
  void end_at(const char* end) { used_ = static_cast<std::size_t>(end - room_.data()); }
  void copy(std::string_view piece) {
    if (!piece.empty()) std::memcpy(room_.data() + used_, piece.data(), piece.size());
    used_ += piece.size();
  }
  void put_long(std::string_view json) {
    flush();
    if (json.size() > kRoom) return void(out_ += json);
    copy(json);
  }

  std::string& out_;
  std::size_t used_ = 0;
  std::array<char, kRoom> room_;  // the first `used_` bytes are valid
};

}  // namespace gantry::data
