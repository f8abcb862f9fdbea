#include "values/asked.hpp"

#include <algorithm>
#include <chrono>

namespace gantry::data {
namespace {

constexpr std::string_view kRead = "SELECT";

// The operation of a statement: WITH begins a SELECT, as the engine writes no other.
std::string_view operation_of(std::string_view sql) {
  const std::string_view word = sql.substr(0, sql.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
  constexpr std::string_view kWrites[] = {"INSERT", "UPDATE", "DELETE", "CREATE", "DROP"};
  const auto* const found = std::find(std::begin(kWrites), std::end(kWrites), word);
  return found == std::end(kWrites) ? kRead : *found;
}

}  // namespace

std::int64_t Asked::now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

void Asked::begin(std::string_view sql) {
  if (!any()) begin_ns_ = now_ns();
  if (operation_.empty() || operation_ == kRead) operation_ = operation_of(sql);
}

}  // namespace gantry::data
