// Fuzzes sealed states that a client edits. The first line of an input is the binding, the second
// the payload; the rest are edits of the sealed text, three bytes each: kind, place, byte.
#include <cstdint>
#include <string>

#include "host/auth/seal.hpp"
#include "require.hpp"

namespace gantry::fuzz {
namespace {

using namespace std::chrono_literals;
using host::Clock;
using host::Sealer;

class HandClock final : public Clock {
 public:
  Instant now() const override { return now_; }
  void advance(Duration by) { now_ += by; }

 private:
  Instant now_{1h};
};

constexpr Clock::Duration kLifetime = 60s;

std::string_view take_line(std::string_view& input) {
  const auto line = input.substr(0, input.find('\n'));
  input.remove_prefix(std::min(input.size(), line.size() + 1));
  return line;
}

// One edit of `text`; `other` is another state, to be mixed in.
void edit(std::string& text, std::string_view other, char what, std::size_t where, char byte) {
  where = text.empty() ? 0 : where % text.size();
  switch (what) {
    case 'd':
      text.erase(where, 1);
      break;
    case 'i':
      text.insert(where, 1, byte);
      break;
    case 'o':
      text.replace(where, text.npos, other.substr(std::min(where, other.size())));
      break;
    default:
      if (!text.empty()) text[where] = byte;
  }
}

bool opens(Sealer& sealer, std::string_view binding, std::string_view text,
           std::string_view payload) {
  const auto opened = sealer.open(binding, text);
  if (opened) {
    require(*opened == payload, "a state holds what was sealed");
    return true;
  }
  require(opened.status().code() == GANTRY_INVALID_ARGUMENT, "a refusal is the client's fault");
  require(!opened.status().message().empty(), "a refusal has a sentence");
  return false;
}

struct States {
  std::string binding, payload, first, second;
};

void check_edited(Sealer& sealer, const States& states, std::string_view edits) {
  std::string text = states.first;
  for (; edits.size() >= 3; edits.remove_prefix(3)) {
    edit(text, states.second, edits[0], static_cast<unsigned char>(edits[1]), edits[2]);
  }
  if (text == states.first || text == states.second) return;
  require(!opens(sealer, states.binding, text, {}), "a changed state is refused");
}

void check_unchanged(Sealer& sealer, HandClock& clock, const States& states) {
  const auto& [binding, payload, first, second] = states;
  require(!opens(sealer, binding + "x", first, {}), "another binding is refused");
  require(opens(sealer, binding, first, payload), "a state opens, whatever was tried before");
  require(!opens(sealer, binding, first, {}), "a state opens once");
  clock.advance(kLifetime);
  require(!opens(sealer, binding, second, {}), "a state expires");
}

std::string sealed(const Sealer& sealer, std::string_view binding, std::string_view payload) {
  auto text = sealer.seal(binding, payload, kLifetime);
  require(text.is_ok(), "a small payload can be sealed");
  return *text;
}

void check(std::string_view input) {
  HandClock clock;
  Sealer sealer(clock);  // a key of its own: the fuzzer learns texts that are good for a known one
  States states;
  states.binding = take_line(input);
  states.payload = take_line(input);
  states.first = sealed(sealer, states.binding, states.payload);
  states.second = sealed(sealer, states.binding, states.payload);
  require(states.first != states.second, "no two states are the same text");
  require(!opens(sealer, states.binding, input, {}), "a state cannot be made up");
  check_edited(sealer, states, input);
  check_unchanged(sealer, clock, states);
}

}  // namespace
}  // namespace gantry::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  gantry::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
