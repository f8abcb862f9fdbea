#include "host/config/positions.hpp"

#include <algorithm>
#include <vector>

#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include "host/base/json_reader.hpp"
#include "host/base/numbers.hpp"

namespace gantry::host {
namespace {

constexpr unsigned kFlags = rapidjson::kParseCommentsFlag | rapidjson::kParseTrailingCommasFlag |
                            rapidjson::kParseValidateEncodingFlag |
                            rapidjson::kParseFullPrecisionFlag;
constexpr std::size_t kMaxDepth = 64;

int line_at(std::string_view text, std::size_t offset) {
  return 1 + static_cast<int>(
                 std::count(text.begin(), text.begin() + std::min(offset, text.size()), '\n'));
}

void append_token(std::string& pointer, std::string_view name) {
  pointer += '/';
  for (const char c : name) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
}

// Notes the line of each member and element.
class Noter : public DocumentBuilder<Noter, rapidjson::Document> {
 public:
  Noter(Located& out, std::string_view text, const TextStream& stream)
      : DocumentBuilder(out.document, kMaxDepth), out_(out), text_(text), stream_(stream) {}

  const std::string& twice() const { return twice_; }

  bool scalar() {
    if (!levels_.empty() && levels_.back().array) note_element();
    return true;
  }

  bool Key(const char* s, rapidjson::SizeType n, bool copy) {
    Level& level = levels_.back();
    level.pointer.resize(level.base);
    append_token(level.pointer, {s, n});
    if (out_.lines.emplace(level.pointer, line()).second) {
      return DocumentBuilder::Key(s, n, copy);
    }
    twice_.assign(s, n);
    return false;
  }

  bool entered(bool array) {
    scalar();
    std::string pointer = levels_.empty() ? std::string() : levels_.back().pointer;
    if (levels_.empty()) out_.lines.emplace("", line());
    const std::size_t base = pointer.size();
    levels_.push_back({std::move(pointer), base, array, 0});
    return true;
  }

  bool left() {
    levels_.pop_back();
    return true;
  }

 private:
  struct Level {
    std::string pointer;  // of the current member or element
    std::size_t base = 0;
    bool array = false;
    std::size_t next = 0;
  };

  // The reader only goes on, so each line break is counted once.
  int line() {
    const std::size_t at = std::min(stream_.Tell() == 0 ? 0 : stream_.Tell() - 1, text_.size());
    if (at > counted_) {
      const auto begin = text_.begin();
      line_ += static_cast<int>(std::count(begin + counted_, begin + at, '\n'));
      counted_ = at;
    }
    return line_;
  }

  void note_element() {
    Level& level = levels_.back();
    level.pointer.resize(level.base);
    append_token(level.pointer, std::to_string(level.next++));
    out_.lines.emplace(level.pointer, line());
  }

  Located& out_;
  const std::string_view text_;
  const TextStream& stream_;
  std::vector<Level> levels_;
  std::string twice_;
  std::size_t counted_ = 0;  // bytes whose line breaks are in line_
  int line_ = 1;
};

// An unknown key is a fault of the object; its line is that of the key.
std::string pointer_of(const schema::Error& error, const Located& located) {
  for (const auto& [pointer, line] : located.lines) {
    const auto slash = pointer.rfind('/');
    if (slash == std::string::npos || pointer.substr(0, slash) != error.pointer) continue;
    const bool unknown =
        error.message.find("unknown property '" + pointer.substr(slash + 1) + "'") == 0;
    if (unknown) return pointer;
  }
  return error.pointer;
}

}  // namespace

int Located::line_of(std::string_view pointer) const {
  for (;;) {
    if (const auto found = lines.find(pointer); found != lines.end()) return found->second;
    if (pointer.empty()) return 1;
    pointer = pointer.substr(0, pointer.rfind('/'));
  }
}

Result<Located> locate(std::string_view text, const std::string& file) {
  if (const auto at = unreadable_number(text)) {
    return Status::invalid(file + ":" + std::to_string(line_at(text, *at)) +
                           ": a number is beyond the range of doubles");
  }
  Located out;
  TextStream stream(text);
  rapidjson::Reader reader;
  std::string twice;
  bool too_deep = false;
  auto read = [&](rapidjson::Document&) {
    Noter noter(out, text, stream);
    const bool good = !reader.Parse<kFlags>(stream, noter).IsError();
    twice = noter.twice();
    too_deep = noter.too_deep();
    return good;
  };
  out.document.Populate(read);
  if (!reader.HasParseError()) return out;
  const std::string where =
      file + ":" + std::to_string(line_at(text, reader.GetErrorOffset())) + ": ";
  if (!twice.empty())
    return Status::invalid(where + "the key '" + twice + "' stands twice in one object");
  if (too_deep) return Status::invalid(where + "nested too deeply");
  return Status::invalid(where +
                         "not JSON: " + rapidjson::GetParseError_En(reader.GetParseErrorCode()));
}

std::string located_sentences(const std::vector<schema::Error>& errors, const Located& located,
                              const std::string& file, std::string_view root) {
  std::string out;
  for (const auto& error : errors) {
    if (!out.empty()) out += '\n';
    out += file + ":" + std::to_string(located.line_of(pointer_of(error, located))) + ": ";
    const schema::Error one[] = {error};
    out += schema::explain(one, root);
  }
  return out;
}

}  // namespace gantry::host
