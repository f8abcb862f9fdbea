#include "sdk/contract/call_writes.hpp"

#include <algorithm>

namespace gantry::contract {

bool is_denial_cause(std::string_view text) {
  constexpr std::size_t kMost = 64;
  return !text.empty() && text.size() <= kMost && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || c == '_';
  });
}

std::string_view JsonOrder::begin() {
  if (state_ == State::open) return "json_begin() twice without json_end()";
  if (state_ == State::done) return "json_begin() again: a call has one structured result";
  state_ = State::open;
  return {};
}

std::string_view JsonOrder::add() const {
  return is_open() ? std::string_view() : "json_raw() without json_begin()";
}

std::string_view JsonOrder::end() {
  if (!is_open()) return "json_end() without json_begin()";
  state_ = State::done;
  return {};
}

std::string_view JsonOrder::broken_at_end() const {
  return is_open() ? "json_begin() without json_end()" : std::string_view();
}

}  // namespace gantry::contract
