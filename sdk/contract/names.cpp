#include "sdk/contract/names.hpp"

#include <algorithm>

#include "sdk/contract/text.hpp"

namespace gantry::contract {
namespace {

bool lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

template <class Allowed>
bool made_of(std::string_view text, Allowed allowed) {
  return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

}  // namespace

bool is_plugin_name(std::string_view name) {
  return name.size() <= 64 && !name.empty() && lower_or_digit(name.front()) &&
         made_of(name, [](char c) { return lower_or_digit(c) || c == '_' || c == '-'; });
}

bool is_tool_name(std::string_view name) {
  return name.size() <= 64 && made_of(name, [](char c) {
           return lower_or_digit(c) || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.';
         });
}

bool is_method_name(std::string_view name) {
  return name.size() <= 64 && made_of(name, [](char c) {
           return lower_or_digit(c) || (c >= 'A' && c <= 'Z') || c == '_';
         });
}

bool is_service_id(std::string_view id) {
  const std::size_t slash = id.find('/');
  if (slash == id.npos || id.size() > 63) return false;
  const auto allowed = [](char c) { return lower_or_digit(c) || c == '_' || c == '-' || c == '.'; };
  const std::string_view revision = id.substr(slash + 1);
  return made_of(id.substr(0, slash), allowed) && made_of(revision, is_digit) &&
         revision.front() != '0' && revision.size() <= 9;
}

}  // namespace gantry::contract
