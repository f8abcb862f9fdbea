#include "write/names.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <random>

#include "catalog/column_type.hpp"
#include "values/utf8.hpp"

namespace gantry::data::write {

Status check_name(const std::string& what, const std::string& name) {
  constexpr std::size_t kLongest = 200;
  if (name.empty()) return Status::invalid("a " + what + " needs a name");
  const bool has_control = std::any_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  if (has_control || !is_utf8(name)) {
    return Status::invalid("the " + what + " " + excerpt(name) +
                           " has characters that no name can have");
  }
  if (name.size() > kLongest) {
    return Status::invalid("the " + what + " " + excerpt(name) + " has more than 200 bytes");
  }
  const std::string lowered = lower(name);
  if (what == "class" && (lowered.starts_with("sqlite_") || lowered.starts_with("_gantry"))) {
    return Status::invalid("the class " + name +
                           " is internal: names that begin with sqlite_ or _gantry are taken");
  }
  return {};
}

void IdMaker::begin() {
  std::random_device random;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%08llx%08x%02x",
                static_cast<unsigned long long>(std::time(nullptr)) & 0xffffffffull, random(),
                random() & 0xffu);
  prefix_ = text.data();
}

std::string IdMaker::next() {
  constexpr unsigned kMost = 0xffffff;
  if (prefix_.empty()) begin();
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%06x", count_);
  std::string id = prefix_ + text.data();
  count_ = (count_ + 1) & kMost;
  if (count_ == 0) begin();
  return id;
}

}  // namespace gantry::data::write
