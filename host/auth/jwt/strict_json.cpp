#include "host/auth/jwt/strict_json.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <rapidjson/reader.h>

#include "host/base/json_reader.hpp"
#include "host/base/numbers.hpp"

namespace gantry::host::jwt {
namespace {

// Refuses a name that stands twice in one object.
class UniqueNames : public DocumentBuilder<UniqueNames, rapidjson::Document> {
 public:
  using DocumentBuilder::DocumentBuilder;

  bool Key(const char* text, rapidjson::SizeType size, bool copy) {
    if (!names_.back().emplace(text, size).second) return false;
    return DocumentBuilder::Key(text, size, copy);
  }
  bool entered(bool) { return names_.emplace_back(), true; }
  bool left() { return names_.pop_back(), true; }

 private:
  std::vector<std::set<std::string, std::less<>>> names_;  // of the objects around
};

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

bool read_object(std::string_view text, rapidjson::Document& out, std::size_t levels) {
  constexpr unsigned kFlags =
      rapidjson::kParseValidateEncodingFlag | rapidjson::kParseFullPrecisionFlag;
  std::string mended;
  if (make_readable(text, mended)) return false;
  rapidjson::Reader reader;
  TextStream stream(text);
  auto read = [&](rapidjson::Document& document) {
    UniqueNames builder(document, levels);
    return !reader.Parse<kFlags>(stream, builder).IsError();
  };
  out.Populate(read);
  return !reader.HasParseError() && stream.rest().empty() && out.IsObject();
}

const rapidjson::Value* member_of(const rapidjson::Value& object, std::string_view name) {
  if (!object.IsObject()) return nullptr;
  const rapidjson::Value wanted(rapidjson::StringRef(name.data(), name.size()));
  const auto found = object.FindMember(wanted);
  return found == object.MemberEnd() ? nullptr : &found->value;
}

std::optional<std::string_view> plain_text(const rapidjson::Value* value, std::size_t most) {
  if (value == nullptr || !value->IsString()) return std::nullopt;
  const std::string_view text(value->GetString(), value->GetStringLength());
  if (text.empty() || text.size() > most) return std::nullopt;
  if (std::any_of(text.begin(), text.end(), is_control)) return std::nullopt;
  return text;
}

}  // namespace gantry::host::jwt
