#include "sdk/contract/raw_json.hpp"

#include <charconv>
#include <set>

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace gantry::contract {
namespace {

constexpr std::size_t kMaxNesting = 128;
constexpr std::string_view kSpace = " \t\r\n";

// Checks the rules that JSON's grammar does not contain: depth and repeated names.
class Rules : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Rules> {
 public:
  bool StartObject() {
    names_.emplace_back();
    return enter();
  }
  bool EndObject(rapidjson::SizeType) {
    names_.pop_back();
    return leave();
  }
  bool StartArray() { return enter(); }
  bool EndArray(rapidjson::SizeType) { return leave(); }
  bool Key(const char* name, rapidjson::SizeType size, bool) {
    if (names_.back().emplace(name, size).second) return true;
    problem = "the name \"" + std::string(name, size) + "\" is there twice in one object";
    return false;
  }

  std::string problem;

 private:
  bool enter() {
    if (++depth_ <= kMaxNesting) return true;
    problem = "it is nested more than " + std::to_string(kMaxNesting) + " deep";
    return false;
  }
  bool leave() {
    --depth_;
    return true;
  }

  std::vector<std::set<std::string, std::less<>>> names_;
  std::size_t depth_ = 0;
};

std::size_t skip_space(std::string_view text, std::size_t at) {
  const std::size_t next = text.find_first_not_of(kSpace, at);
  return next == std::string_view::npos ? text.size() : next;
}

std::size_t skip_string(std::string_view text, std::size_t at) {
  for (++at; text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

// The end of the value that begins at `at`. Requires valid JSON.
std::size_t skip_value(std::string_view text, std::size_t at) {
  if (text[at] == '"') return skip_string(text, at);
  if (text[at] != '{' && text[at] != '[') {
    const std::size_t end = text.find_first_of(",]} \t\r\n", at);
    return end == std::string_view::npos ? text.size() : end;
  }
  std::size_t depth = 0;
  do {
    const char c = text[at];
    if (c == '"') {
      at = skip_string(text, at);
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at;
  } while (depth > 0);
  return at;
}

std::string unescape(std::string_view quoted) {
  if (quoted.find('\\') == std::string_view::npos) {
    return std::string(quoted.substr(1, quoted.size() - 2));
  }
  rapidjson::Document value;
  value.Parse(quoted.data(), quoted.size());
  return {value.GetString(), value.GetStringLength()};
}

}  // namespace

Result<RawJson> RawJson::parse(std::string_view text) {
  // The reader takes a NUL for the end of the text and would not check the rest.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    return Status::invalid("is not usable JSON: at byte " + std::to_string(nul) + ": a NUL");
  }
  rapidjson::Reader reader;
  Rules rules;
  rapidjson::MemoryStream stream(text.data(), text.size());
  constexpr unsigned kFlags = rapidjson::kParseIterativeFlag |
                              rapidjson::kParseValidateEncodingFlag |
                              rapidjson::kParseNumbersAsStringsFlag;
  const auto result = reader.Parse<kFlags>(stream, rules);
  if (result.IsError()) {
    const std::string what =
        rules.problem.empty() ? rapidjson::GetParseError_En(result.Code()) : rules.problem;
    return Status::invalid("is not usable JSON: at byte " + std::to_string(result.Offset()) + ": " +
                           what);
  }
  const std::size_t begin = skip_space(text, 0);
  return RawJson(text.substr(begin, skip_value(text, begin) - begin));
}

RawJson::Kind RawJson::kind() const {
  switch (text_.front()) {
    case '{':
      return Kind::object;
    case '[':
      return Kind::array;
    case '"':
      return Kind::string;
    case 't':
    case 'f':
      return Kind::boolean;
    case 'n':
      return Kind::null;
    default:
      return Kind::number;
  }
}

const char* RawJson::kind_name() const {
  constexpr const char* kNames[] = {"null",     "a boolean", "a number",
                                    "a string", "an array",  "an object"};
  return kNames[static_cast<int>(kind())];
}

std::vector<std::pair<std::string, RawJson>> RawJson::members() const {
  std::vector<std::pair<std::string, RawJson>> found;
  std::size_t at = skip_space(text_, 1);
  while (text_[at] != '}') {
    const std::size_t name_end = skip_string(text_, at);
    std::string name = unescape(text_.substr(at, name_end - at));
    at = skip_space(text_, skip_space(text_, name_end) + 1);  // behind the colon
    const std::size_t end = skip_value(text_, at);
    found.emplace_back(std::move(name), RawJson(text_.substr(at, end - at)));
    at = skip_space(text_, end);
    if (text_[at] == ',') at = skip_space(text_, at + 1);
  }
  return found;
}

std::vector<RawJson> RawJson::elements() const {
  std::vector<RawJson> found;
  std::size_t at = skip_space(text_, 1);
  while (text_[at] != ']') {
    const std::size_t end = skip_value(text_, at);
    found.push_back(RawJson(text_.substr(at, end - at)));
    at = skip_space(text_, end);
    if (text_[at] == ',') at = skip_space(text_, at + 1);
  }
  return found;
}

std::optional<RawJson> RawJson::find(std::string_view name) const {
  for (auto& [key, value] : members()) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::string RawJson::string() const { return unescape(text_); }

std::optional<std::int64_t> RawJson::integer() const {
  std::int64_t value = 0;
  const char* const end = text_.data() + text_.size();
  const auto [stop, error] = std::from_chars(text_.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace gantry::contract
