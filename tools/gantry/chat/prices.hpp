// tools/gantry/chat/prices.hpp: what tokens of models cost.
//
// One thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "tools/gantry/chat/message.hpp"

namespace gantry::cli::chat {

// Dollars per token.
struct Price {
  double input = 0, output = 0, cache_read = 0, cache_write = 0;
  std::uint64_t above = 0;  // requests with more input tokens cost the next two; 0: none do
  double above_input = 0, above_output = 0;
  std::uint64_t context = 0;  // tokens of input and output together; 0: not known
};

double cost_of(const Price& price, const Usage& usage);

// {"as_of":…, "per":1000000, "models":[{provider, match, input, output, cache_read, cache_write,
// from, above:{tokens,input,output}, context}]}: dollars for `per` tokens. The longest `match` that
// begins the model's name counts, of its entries the one with the latest `from` that has come.
class Prices {
 public:
  // The error names the entry and what is wrong with it.
  static Result<Prices> read(std::string_view json);
  // Those that this program knows.
  static Prices builtin();

  // `date` is "2026-11-26".
  std::optional<Price> find(const std::string& provider, const std::string& model,
                            const std::string& date) const;

 private:
  struct Entry {
    std::string provider, match, from;
    Price price;
  };
  static Result<Entry> entry_of(const std::string& json, double per);

  std::vector<Entry> entries_;
};

}  // namespace gantry::cli::chat
