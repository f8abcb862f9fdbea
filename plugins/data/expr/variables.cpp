#include <algorithm>
#include <cctype>

#include "errors/query_error.hpp"
#include "expr/expression.hpp"

namespace gantry::data::expr {
namespace {

bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool may_begin(char c) { return (c >= 'a' && c <= 'z') || is_beyond_ascii(c); }
bool may_follow(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || is_beyond_ascii(c);
}

}  // namespace

std::size_t Variables::define(std::string_view name) {
  auto it = names_.find(name);
  if (it == names_.end()) it = names_.emplace(name, std::vector<std::size_t>()).first;
  it->second.push_back(slots_);
  reads_.push_back(0);
  return slots_++;
}

void Variables::take_back(std::string_view name) {
  const auto it = names_.find(name);
  if (it == names_.end()) return;
  it->second.pop_back();
  if (it->second.empty()) names_.erase(it);
}

int Variables::find(std::string_view name) const {
  const auto it = names_.find(name);
  return it == names_.end() ? -1 : static_cast<int>(it->second.back());
}

int Variables::read(std::string_view name) {
  const int slot = find(name);
  if (slot >= 0) ++reads_[static_cast<std::size_t>(slot)];
  return slot;
}

void check_variable_name(std::string_view name, std::string_view op) {
  const bool is_good = !name.empty() && may_begin(name.front()) &&
                       std::all_of(name.begin() + 1, name.end(), may_follow);
  if (is_good || name == "CURRENT") return;
  throw QueryError(
      std::string(op) + " cannot define a variable \"" + std::string(name) +
      "\": names begin with a lower-case letter and go on with letters, digits and _.");
}

}  // namespace gantry::data::expr
