#include "sdk/contract/call_writes.hpp"

namespace gantry::contract {

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
