#include "host/base/exact_json.hpp"

#include <array>

namespace gantry::host {
namespace {

enum class Mark : unsigned char { none, quote, opens, closes };

constexpr std::array<Mark, 256> make_marks() {
  std::array<Mark, 256> marks{};
  marks['"'] = Mark::quote;
  marks['['] = marks['{'] = Mark::opens;
  marks[']'] = marks['}'] = Mark::closes;
  return marks;
}
constexpr auto kMarks = make_marks();

// The position after the closing quote of the string whose text begins at `at`.
const char* end_of_string(const char* at, const char* end) {
  while (at != end && *at != '"') at += *at == '\\' && end - at > 1 ? 2 : 1;
  return at == end ? end : at + 1;
}

}  // namespace

bool nests_too_deep(std::string_view json) {
  const char* at = json.data();
  const char* const end = at + json.size();
  std::size_t depth = 0;
  while (at != end) {
    switch (kMarks[static_cast<unsigned char>(*at++)]) {
      case Mark::quote:
        at = end_of_string(at, end);
        break;
      case Mark::opens:
        if (++depth > kMaxJsonDepth) return true;
        break;
      case Mark::closes:
        depth -= depth > 0 ? 1 : 0;
        break;
      case Mark::none:
        break;
    }
  }
  return false;
}

}  // namespace gantry::host
