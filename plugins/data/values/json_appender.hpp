// values/json_appender.hpp: JSON in many small pieces, onto the end of a string.
//
// Pieces are gathered in a room of its own and appended together: a string's own append costs more
// than most values. What is not flushed is lost. One thread.
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
  // `out` outlives it; only text() may be used to change it meanwhile.
  explicit JsonAppender(std::string& out) : out_(out) {}
  JsonAppender(const JsonAppender&) = delete;
  JsonAppender& operator=(const JsonAppender&) = delete;

  // As they are.
  void put(char c) { *room_for(1) = c, ++used_; }
  void put(std::string_view json) {
    if (json.size() > kRoom - used_) return put_long(json);
    copy(json);
  }

  // As json_text.hpp and iso_date.hpp write them; the date without quotes.
  void integer(std::int64_t value) { end_at(write_json_integer(value, room_for(kMostOfANumber))); }
  void real(double value) { end_at(write_json_double(value, room_for(kMostOfANumber))); }
  void iso_date(std::int64_t milliseconds) {
    end_at(write_iso_date(milliseconds, room_for(kIsoDateSize)));
  }
  // "text" with quotes. False, and nothing put, when it is not UTF-8.
  bool string(std::string_view text) {
    const bool fits = text.size() + 2 <= kRoom - used_;
    if (!fits || plain_json_bytes(text) != text.size())
      return append_json_string(text, this->text());
    room_[used_++] = '"';
    copy(text);
    room_[used_++] = '"';
    return true;
  }

  // How long the string is with all that was put.
  std::size_t size() const { return out_.size() + used_; }
  // The string with all that was put, for whoever appends to it himself.
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
  std::array<char, kRoom> room_;  // of which `used_` are set
};

}  // namespace gantry::data
