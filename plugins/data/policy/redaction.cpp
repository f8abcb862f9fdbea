#include "policy/redaction.hpp"

#include <rapidjson/document.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include "errors/query_error.hpp"
#include "policy/internal.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

constexpr std::string_view kPointerType = "Pointer";
constexpr int kMostLayers = 4;  // JSON in strings of JSON in strings

// Accepts JSON of bounded depth, and records where its strings are.
class Strings : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Strings> {
 public:
  struct Found {
    std::size_t begin, end;  // in the text, with the quotes
    std::string text;
  };

  explicit Strings(const rapidjson::MemoryStream& stream) : stream_(stream) {}

  bool StartObject() { return ++depth_ <= kDeepest; }
  bool StartArray() { return ++depth_ <= kDeepest; }
  bool EndObject(rapidjson::SizeType /*members*/) { return --depth_, true; }
  bool EndArray(rapidjson::SizeType /*elements*/) { return --depth_, true; }
  // Only a string with escapes can hold an object with members.
  bool String(const char* data, rapidjson::SizeType size, bool /*copy*/) {
    const std::string_view text(data, size);
    const bool may_hold = text.starts_with('{') || text.starts_with('[');
    if (may_hold && text.find(kPointerType) != text.npos) {
      found_.push_back({0, stream_.Tell(), std::string(text)});
    }
    return true;
  }

  std::vector<Found>& found() { return found_; }

 private:
  static constexpr int kDeepest = 400;

  const rapidjson::MemoryStream& stream_;
  int depth_ = 0;
  std::vector<Found> found_;
};

std::optional<std::string> redacted(std::string_view json, const ClassFilter* classes, int layer);

// The text with its strings that hold JSON redacted. Empty: none changes, or the text is invalid.
std::optional<std::string> with_redacted_strings(std::string_view json,
                                                 std::vector<Strings::Found>& found,
                                                 const ClassFilter* classes, int layer) {
  std::string text;
  std::size_t copied = 0;
  for (const Strings::Found& one : found) {
    const auto inner = redacted(one.text, classes, layer + 1);
    if (!inner) continue;
    text.append(json, copied, one.begin - copied) += quoted_json(*inner);
    copied = one.end;
  }
  if (copied == 0) return std::nullopt;
  return text.append(json, copied);
}

// The opening quote of the string that ends before `end`: it is the last quote in front that is not
// escaped.
std::size_t begin_of_string(std::string_view json, std::size_t end) {
  for (std::size_t at = end - 1; at-- > 0;) {
    if (json[at] != '"') continue;
    std::size_t slashes = 0;
    while (slashes < at && json[at - 1 - slashes] == '\\') ++slashes;
    if (slashes % 2 == 0) return at;
  }
  return 0;
}

bool read(std::string_view json, std::vector<Strings::Found>& found) {
  rapidjson::MemoryStream stream(json.data(), json.size());
  Strings strings(stream);
  rapidjson::Reader reader;
  constexpr unsigned kFlags = rapidjson::kParseIterativeFlag;
  if (reader.Parse<kFlags>(stream, strings).IsError()) return false;
  found = std::move(strings.found());
  for (Strings::Found& one : found) one.begin = begin_of_string(json, one.end);
  return true;
}

std::optional<std::string> redacted(std::string_view json, const ClassFilter* classes, int layer) {
  std::vector<Strings::Found> found;
  if (!read(json, found)) {
    if (layer > 0) return std::nullopt;  // a text that only looks like JSON
    throw QueryError("an answer is no JSON, or nests too deep");
  }
  std::optional<std::string> text;
  if (layer < kMostLayers) text = with_redacted_strings(json, found, classes, layer);
  auto both = with_redacted_pointers(text ? std::string_view(*text) : json, classes);
  return both ? both : text;
}

}  // namespace

std::optional<std::string> redacted_answer(std::string_view json, const ClassFilter* classes) {
  return redacted(json, classes, 0);
}

}  // namespace gantry::data
