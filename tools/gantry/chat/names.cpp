#include "tools/gantry/chat/names.hpp"

#include "host/auth/digest.hpp"
#include "host/base/text.hpp"

namespace gantry::cli::chat {
namespace {

constexpr std::size_t kLongestName = 64, kKept = 55;

}  // namespace

std::string Names::add(const std::string& own) {
  std::string name = own;
  for (char& c : name) {
    if (!host::is_letter(c) && !host::is_digit(c) && c != '_' && c != '-') c = '_';
  }
  const auto found = own_.find(name);
  const bool taken = found != own_.end() && found->second != own;
  if (name.empty() || name.size() > kLongestName || taken) {
    name = name.substr(0, kKept) + "_" + host::fingerprint_of(own);
  }
  own_[name] = own;
  return name;
}

std::string Names::own(const std::string& given) const {
  const auto found = own_.find(given);
  return found == own_.end() ? std::string() : found->second;
}

}  // namespace gantry::cli::chat
