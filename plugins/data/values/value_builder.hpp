// values/value_builder.hpp: makes a Value of the events of a JSON reader, without a document in
// between. Objects that encode another type (values/extended_json.hpp) are recognised when they
// end.
//
// A handler for rapidjson::Reader and rapidjson::Value::Accept. A function that returns false ends
// the reading; failure() says why, if it was not the JSON's syntax. One thread.
#pragma once

#include <rapidjson/rapidjson.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "values/extended_json.hpp"
#include "values/value.hpp"

namespace gantry::data {

// It has more than twenty methods: RapidJSON prescribes 14 of them.
class ValueBuilder {
 public:
  using Ch = char;
  using Size = rapidjson::SizeType;
  enum class Failure { none, number, depth };

  // `deepest`: arrays and objects in each other.
  ValueBuilder(const ReadOptions& options, std::size_t deepest)
      : options_(options), deepest_(deepest) {
    constexpr std::size_t kFew = 16;
    open_.reserve(kFew);
    pending_.reserve(kFew);
  }

  bool Null() { return add(Value::null()); }
  bool Bool(bool value) { return add(Value::boolean(value)); }
  bool Int(int value) { return add(Value::int32(value)); }
  bool Uint(unsigned value) { return add(Value::integer(value)); }
  bool Int64(std::int64_t value) { return add(Value::integer(value)); }
  bool Uint64(std::uint64_t value) { return add(Value::real(static_cast<double>(value))); }
  bool Double(double value) { return add(Value::real(value)); }
  bool RawNumber(const char* text, Size size, bool copy);
  bool String(const char* text, Size size, bool copy);
  bool StartObject() { return open(); }
  bool Key(const char* text, Size size, bool copy);
  bool EndObject(Size members);
  bool StartArray() { return open(); }
  bool EndArray(Size elements);

  Value take() { return std::move(result_); }
  Failure failure() const { return failure_; }

 private:
  // An array or object that has not ended.
  struct Open {
    std::size_t begin;  // of its members in pending_
    std::size_t level;  // names of the path that lead to it
  };

  bool is_left_out();
  bool add(Value value);
  bool open();
  // Ends the innermost array or object with this value.
  bool close(Value value);
  bool fail(Failure why) { return failure_ = why, false; }
  void step();

  const ReadOptions options_;
  const std::size_t deepest_;
  std::vector<Open> open_;
  // Members of all open objects; elements of open arrays have no names. An array or object in
  // another one has its place before its own members.
  Members pending_;
  std::string key_;           // of the next value
  std::size_t level_ = 0;     // names of the path that lead to the next value
  std::size_t left_out_ = 0;  // open arrays and objects of a value that is left out
  bool next_is_left_out_ = false;
  unsigned parts_ = 0;
  Value result_;
  Failure failure_ = Failure::none;
};

}  // namespace gantry::data
