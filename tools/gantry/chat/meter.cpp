#include "tools/gantry/chat/meter.hpp"

#include <cstdio>

#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli::chat {
namespace {

std::vector<std::string> row_of(const std::string& first, const std::string& model,
                                const Spent& spent) {
  return {first,
          printable(model),
          grouped(spent.usage.input),
          grouped(spent.usage.cache_read),
          grouped(spent.usage.cache_write),
          grouped(spent.usage.output),
          dollars_text(spent.dollars)};
}

}  // namespace

Spent& operator+=(Spent& sum, const Spent& more) {
  sum.usage.input += more.usage.input;
  sum.usage.cache_read += more.usage.cache_read;
  sum.usage.cache_write += more.usage.cache_write;
  sum.usage.output += more.usage.output;
  sum.dollars += more.dollars;
  return sum;
}

std::optional<Price> Meter::price_of(const std::string& model) const {
  auto price = file_.find(provider_, model, date_);
  return price ? price : builtin_.find(provider_, model, date_);
}

void Meter::add(const std::string& model, const Usage& usage) {
  if (usage.input + usage.output == 0) return;
  const auto price = price_of(model);
  if (!price && unknown_.insert(model).second && on_unknown_) on_unknown_(model);
  rows_.push_back({model, {usage, price ? cost_of(*price, usage) : 0}});
  all_ += rows_.back().spent;
  context_used_ = usage.input + usage.output;
}

std::string Meter::table() const {
  std::vector<std::vector<std::string>> rows{
      {"REQUEST", "MODEL", "INPUT", "CACHE READ", "CACHE WRITE", "OUTPUT", "COST"}};
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows.push_back(row_of(std::to_string(i + 1), rows_[i].model, rows_[i].spent));
  }
  rows.push_back(row_of("all", "", all_));
  return cli::table(rows);
}

std::string dollars_text(double dollars) {
  char text[32];
  std::snprintf(text, sizeof text, "$%.4f", dollars);
  return text;
}

std::string spent_text(const Spent& spent) {
  return grouped(spent.usage.input) + " in + " + grouped(spent.usage.output) + " out tokens, " +
         dollars_text(spent.dollars);
}

std::string grouped(std::uint64_t number) {
  std::string out = std::to_string(number);
  for (std::size_t i = out.size(); i > 3;) out.insert(i -= 3, ",");
  return out;
}

}  // namespace gantry::cli::chat
