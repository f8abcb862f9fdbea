// tools/gantry/chat/meter.hpp: tokens and dollars of the requests of a session.
//
// One thread at a time.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tools/gantry/chat/prices.hpp"

namespace gantry::cli::chat {

struct Spent {
  Usage usage{};
  double dollars = 0;
};
Spent& operator+=(Spent& sum, const Spent& more);

class Meter {
 public:
  // The file's prices, when there are some, come before those that the program knows. `on_unknown`
  // gets the name of each model without a price, once.
  Meter(std::string provider, Prices file, std::string date,
        std::function<void(const std::string& model)> on_unknown)
      : provider_(std::move(provider)),
        date_(std::move(date)),
        on_unknown_(std::move(on_unknown)),
        file_(std::move(file)) {}

  std::optional<Price> price_of(const std::string& model) const;
  // Counts one request.
  void add(const std::string& model, const Usage& usage);

  const Spent& all() const { return all_; }
  // Input and output of the last request, in tokens: how full the context was.
  std::uint64_t context_used() const { return context_used_; }
  // For a request whose usage is not known; 0: the conversation has become short.
  void estimate_context(std::uint64_t tokens) { context_used_ = tokens; }
  // A row for each request and one for all.
  std::string table() const;

 private:
  struct Row {
    std::string model;
    Spent spent;
  };

  const std::string provider_, date_;
  const std::function<void(const std::string& model)> on_unknown_;
  const Prices file_, builtin_ = Prices::builtin();
  std::vector<Row> rows_;
  std::set<std::string> unknown_;
  Spent all_;
  std::uint64_t context_used_ = 0;
};

// "$0.0123": four digits behind the point.
std::string dollars_text(double dollars);
// "1,204 in + 36 out tokens, $0.0123".
std::string spent_text(const Spent& spent);
// "12,345".
std::string grouped(std::uint64_t number);

}  // namespace gantry::cli::chat
