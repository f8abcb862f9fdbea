#include "model/key_reader.hpp"

#include <algorithm>

#include <gantry/schema/nearest.hpp>

#include "values/utf8.hpp"

namespace gantry::data::model {

void refuse(const ModelClass& cls, const std::string& path, const std::string& why) {
  throw BadModel{place_of(cls, path) + ": " + why};
}

void Key::wrong(const std::string& what) const { refuse(cls_, path_, what); }

bool Key::flag() const {
  if (!json_.IsBool()) must_be("true or false");
  return json_.GetBool();
}

std::string Key::text() const {
  if (!json_.IsString() || json_.GetStringLength() == 0) must_be("a string that is not empty");
  std::string text(text_of(json_));
  if (text.find('\0') != std::string::npos) wrong(quoted() + " must not hold a NUL character");
  return text;
}

std::vector<std::string> Key::texts() const {
  if (!json_.IsArray()) must_be("an array of strings");
  std::vector<std::string> all;
  for (const Json& one : json_.GetArray()) {
    const std::string text = Key(cls_, path_, one).text();
    if (std::find(all.begin(), all.end(), text) != all.end()) {
      wrong(quoted() + " names '" + text + "' twice");
    }
    all.push_back(text);
  }
  return all;
}

void Key::check_name(std::string_view name, const std::vector<std::string_view>& known) const {
  if (name.find('\0') != std::string_view::npos || name.empty()) {
    wrong(quoted() + " is no name: it is empty or holds a NUL character");
  }
  if (known.empty() || std::find(known.begin(), known.end(), name) != known.end()) return;
  const auto near = schema::nearest(name, known);
  wrong("the key " + quoted() + " is not known, so it would have no effect" +
        (near ? "; did you mean \"" + std::string(*near) + "\"?" : "") +
        " (known: " + joined(known) + ")");
}

}  // namespace gantry::data::model
