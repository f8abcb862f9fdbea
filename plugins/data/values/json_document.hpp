// values/json_document.hpp: JSON text into RapidJSON's document, every number exactly as written.
//
// RapidJSON 1.1 makes any number at all of a zero with a large exponent ("0E44") when it is asked
// for full precision; so its numbers are read by the standard library. Whole numbers that fit are
// Int, Uint, Int64 or Uint64 as RapidJSON has them, all others doubles. Pure; any thread. A long
// text takes steps of the query of the thread.
#pragma once

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <optional>
#include <string_view>
#include <variant>

#include "values/spending.hpp"

namespace gantry::data {

// The number that JSON text stands for; nothing when it is beyond what a double holds.
std::optional<std::variant<std::int64_t, std::uint64_t, double>> read_json_number(
    std::string_view text);

// At most what the document of this text takes beyond its first block: an entry for each value, the
// names and the texts. To be charged to the query while the document lives.
std::size_t document_bytes(std::string_view json);

// What the reader tells of goes to the document, numbers read.
template <class Document>
class NumberReader
    : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, NumberReader<Document>> {
 public:
  using Size = rapidjson::SizeType;
  explicit NumberReader(Document& to) : to_(to) {}

  bool Null() { return step(), to_.Null(); }
  bool Bool(bool value) { return step(), to_.Bool(value); }
  bool RawNumber(const char* text, Size size, bool /*copy*/) {
    step();
    const auto number = read_json_number({text, size});
    if (!number) return false;
    if (const auto* real = std::get_if<double>(&*number)) return to_.Double(*real);
    if (const auto* large = std::get_if<std::uint64_t>(&*number)) return to_.Uint64(*large);
    return to_.Int64(std::get<std::int64_t>(*number));
  }
  bool String(const char* text, Size size, bool copy) {
    return step(), to_.String(text, size, copy);
  }
  bool StartObject() { return step(), to_.StartObject(); }
  bool Key(const char* text, Size size, bool copy) { return to_.Key(text, size, copy); }
  bool EndObject(Size count) { return to_.EndObject(count); }
  bool StartArray() { return step(), to_.StartArray(); }
  bool EndArray(Size count) { return to_.EndArray(count); }

 private:
  void step() {
    constexpr unsigned kPartsBetweenSteps = 1024;
    if (++parts_ % kPartsBetweenSteps == 0) Spending::step_current();
  }

  Document& to_;
  unsigned parts_ = 0;
};

// Of any depth: does not recurse. What is wrong, and where; the document is null then.
template <unsigned kFlags, class Document>
rapidjson::ParseResult parse_json(std::string_view json, Document& document) {
  rapidjson::Reader reader;
  rapidjson::MemoryStream bytes(json.data(), json.size());
  rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(bytes);
  auto read = [&](Document& to) {
    NumberReader<Document> handler(to);
    constexpr unsigned kAll =
        kFlags | rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseIterativeFlag;
    return !reader.template Parse<kAll>(stream, handler).IsError();
  };
  document.Populate(read);
  return {reader.GetParseErrorCode(), reader.GetErrorOffset()};
}

}  // namespace gantry::data
