#include "values/extended_json.hpp"

#include <limits>

#include "values/json_document.hpp"
#include "values/value_builder.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kDeepestJson = 200;

std::string sentence(const rapidjson::ParseResult& parsed, ValueBuilder::Failure failure) {
  if (failure == ValueBuilder::Failure::depth) {
    return "The JSON nests more than 200 levels; flatten it.";
  }
  const std::string at = " At byte " + std::to_string(parsed.Offset()) + ".";
  if (failure == ValueBuilder::Failure::number) return "A number exceeds a double's range." + at;
  return std::string("This is not JSON: ") + rapidjson::GetParseError_En(parsed.Code()) + at;
}

}  // namespace

Value read_extended(const rapidjson::Value& json, const ReadOptions& options) {
  ValueBuilder builder(options, std::numeric_limits<std::size_t>::max());
  json.Accept(builder);
  return builder.take();
}

Result<Value> read_extended(std::string_view json, const ReadOptions& options) {
  constexpr unsigned kFlags =
      rapidjson::kParseValidateEncodingFlag | rapidjson::kParseNumbersAsStringsFlag;
  ValueBuilder builder(options, kDeepestJson);  // which also bounds the reader's recursion
  rapidjson::Reader reader;
  rapidjson::MemoryStream bytes(json.data(), json.size());
  rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(bytes);
  const auto parsed = reader.Parse<kFlags>(stream, builder);
  if (parsed.IsError()) return Status::invalid(sentence(parsed, builder.failure()));
  return builder.take();
}

}  // namespace gantry::data
