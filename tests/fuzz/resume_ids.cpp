// Fuzzes a client's Last-Event-ID: accepted texts are those that the server writes, others are
// refused.
#include <cstring>
#include <string>

#include "host/sessions/event_id.hpp"
#include "require.hpp"

namespace gantry::fuzz {
namespace {

using host::EventId;

bool is_number(std::string_view text) {
  constexpr std::string_view kMost = "18446744073709551615";
  if (text.empty() || text.find_first_not_of("0123456789") != text.npos) return false;
  if (text.front() == '0') return text == "0";
  return text.size() < kMost.size() || (text.size() == kMost.size() && text <= kMost);
}

// The form, said a second time in another way.
bool is_event_id(std::string_view text) {
  const auto dash = text.find('-');
  return dash != text.npos && text.front() == 's' && is_number(text.substr(1, dash - 1)) &&
         is_number(text.substr(dash + 1));
}

void check_text(std::string_view text) {
  const auto id = host::parse_event_id(text);
  require(id.has_value() == is_event_id(text), "the one form is read and no other");
  require(!id || to_text(*id) == text, "what is read is what we would write");
}

}  // namespace
}  // namespace gantry::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace gantry::fuzz;
  const std::string text(reinterpret_cast<const char*>(data), size);
  check_text(text);
  EventId id;
  if (size >= sizeof id) std::memcpy(&id, data, sizeof id);
  require(gantry::host::parse_event_id(to_text(id)) == id, "what we write is read back");
  return 0;
}
