// sdk/contract/raw_json.hpp: slices of JSON text, byte for byte as the author wrote them.
//
// A manifest's schemas reach clients unchanged, so the text is sliced and never serialized again. A
// RawJson is a view into the text given to parse(), which must outlive it. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::contract {

class RawJson {
 public:
  enum class Kind { null, boolean, number, string, array, object };

  // Checks the whole text: JSON (RFC 8259), valid UTF-8, nested at most 128 deep, no object with
  // the same name twice. GANTRY_INVALID_ARGUMENT names the fault and its byte.
  static Result<RawJson> parse(std::string_view text);

  std::string_view text() const { return text_; }  // without white space around it
  Kind kind() const;
  const char* kind_name() const;
  bool is(Kind wanted) const { return kind() == wanted; }

  // Each requires its kind. Objects and arrays are scanned again at each call.
  std::vector<std::pair<std::string, RawJson>> members() const;  // of an object, in order
  std::vector<RawJson> elements() const;                         // of an array
  std::optional<RawJson> find(std::string_view name) const;      // of an object

  std::string string() const;                   // of a string, unescaped
  std::optional<std::int64_t> integer() const;  // of a number; nothing unless a 64-bit integer
  bool boolean() const { return text_ == "true"; }

 private:
  explicit RawJson(std::string_view text) : text_(text) {}
  std::string_view text_;
};

}  // namespace gantry::contract
