// values/json_document.hpp: parses JSON text into RapidJSON's document with exact numbers.
//
// In full-precision mode RapidJSON 1.1 reads a zero with a large exponent ("0E44") as an arbitrary
// number, so numbers are parsed by the standard library. Whole numbers that fit become Int, Uint,
// Int64 or Uint64, all others doubles. Pure; any thread. Long texts count steps of the thread's
// query.
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

// The value of a JSON number; empty when it exceeds the range of a double.
std::optional<std::variant<std::int64_t, std::uint64_t, double>> read_json_number(
    std::string_view text);

// An upper bound of the memory that the document of this text allocates beyond its first block: an
// entry for each value, the names and the texts. Charge it to the query while the document lives.
std::size_t document_bytes(std::string_view json);

// Forwards the reader's events to the document, with numbers parsed.
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

// Not recursive: any depth. Returns the error and its place; the document is null on error.
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
