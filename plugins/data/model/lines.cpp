#include "model/lines.hpp"

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <set>
#include <vector>

namespace gantry::data::model {
namespace {

constexpr std::size_t kMostLevels = 64;

// Notes each key with its line while the reader goes over the text.
class Keys : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Keys> {
 public:
  Keys(std::string_view text, const rapidjson::MemoryStream& stream)
      : text_(text), stream_(stream) {}

  bool StartObject() { return enter(); }
  bool StartArray() { return enter(); }
  bool EndObject(rapidjson::SizeType) { return leave(); }
  bool EndArray(rapidjson::SizeType) { return leave(); }
  bool Key(const char* name, rapidjson::SizeType size, bool) {
    Level& level = levels_.back();
    level.key.assign(name, size);
    if (!level.seen.insert(level.key).second) {
      return refuse("the key \"" + level.key + "\" is there twice");
    }
    lines_.emplace(path(), line());
    return true;
  }

  std::map<std::string, int> take_lines() { return std::move(lines_); }
  const std::string& refusal() const { return refusal_; }

 private:
  struct Level {
    std::string key;
    std::set<std::string> seen;
  };

  bool enter() {
    levels_.emplace_back();
    return levels_.size() <= kMostLevels ||
           refuse("it is nested deeper than " + std::to_string(kMostLevels) + " levels");
  }
  bool leave() {
    levels_.pop_back();
    return true;
  }
  int line() const { return line_at(text_, stream_.Tell()); }
  bool refuse(const std::string& why) {
    refusal_ = ":" + std::to_string(line()) + ": " + why;
    return false;
  }
  std::string path() const {
    std::string path;
    for (const Level& level : levels_) {
      if (!level.key.empty()) path += (path.empty() ? "" : ".") + level.key;
    }
    return path;
  }

  std::string_view text_;
  const rapidjson::MemoryStream& stream_;
  std::vector<Level> levels_;
  std::map<std::string, int> lines_;
  std::string refusal_;
};

}  // namespace

int line_at(std::string_view text, std::size_t offset) {
  const auto end = static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
  return static_cast<int>(1 + std::count(text.begin(), text.begin() + end, '\n'));
}

Result<std::map<std::string, int>> lines_of_keys(std::string_view text) {
  rapidjson::MemoryStream stream(text.data(), text.size());
  Keys keys(text, stream);
  rapidjson::Reader reader;
  reader.Parse<rapidjson::kParseIterativeFlag>(stream, keys);
  if (!keys.refusal().empty()) return Status::invalid(keys.refusal());
  return keys.take_lines();
}

}  // namespace gantry::data::model
