#include "tools/gantry/chat/prices.hpp"

#include <cstdlib>

#include <rapidjson/document.h>

#include "host/base/text.hpp"
#include "tools/gantry/chat/builtin_prices.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli::chat {
namespace {

using rapidjson::Value;

constexpr double kPer = 1e6;

// Whether `match` ends within `model` where a word ends, so that gpt-5 is not gpt-5.6.
bool begins(const std::string& match, const std::string& model) {
  if (match.empty() || !model.starts_with(match)) return false;
  const auto is_word = [](char c) { return host::is_letter(c) || host::is_digit(c) || c == '.'; };
  return model.size() == match.size() || !is_word(model[match.size()]) || !is_word(match.back());
}

std::string wrong_entry(const Value& entry) {
  if (!entry.IsObject()) return "is no object";
  for (const char* name : {"provider", "match"}) {
    if (text_at(entry, name).empty()) return std::string("needs the text ") + name;
  }
  for (const char* name : {"input", "output"}) {
    const auto& value = member(entry, name);
    if (!value.IsNumber() || value.GetDouble() < 0) return std::string("needs the number ") + name;
  }
  for (const char* name : {"cache_read", "cache_write"}) {
    const auto& value = member(entry, name);
    if (!value.IsNull() && (!value.IsNumber() || value.GetDouble() < 0)) {
      return std::string(name) + " is no number";
    }
  }
  const auto& above = member(entry, "above");
  const bool whole = number_at(above, "tokens") > 0 && member(above, "input").IsNumber() &&
                     member(above, "output").IsNumber();
  return above.IsNull() || whole ? "" : "needs the numbers tokens, input and output in above";
}

double dollars(const Value& entry, const char* name, double other, double per) {
  const auto& value = member(entry, name);
  return value.IsNumber() ? value.GetDouble() / per : other;
}

}  // namespace

double cost_of(const Price& price, const Usage& usage) {
  const bool above = price.above != 0 && usage.input > price.above;
  const double input = above ? price.above_input : price.input;
  // Cached input gets dearer as the other does.
  const double ratio = price.input > 0 ? input / price.input : 1;
  const auto number = [](std::uint64_t tokens) { return static_cast<double>(tokens); };
  const double cached = number(usage.cache_read + usage.cache_write);
  return (number(usage.input) - cached) * input +
         number(usage.cache_read) * price.cache_read * ratio +
         number(usage.cache_write) * price.cache_write * ratio +
         number(usage.output) * (above ? price.above_output : price.output);
}

Result<Prices::Entry> Prices::entry_of(const std::string& json, double per) {
  const auto given = parsed(json);
  if (const std::string wrong = wrong_entry(given); !wrong.empty()) return Status::invalid(wrong);
  Entry out{text_at(given, "provider"), text_at(given, "match"), text_at(given, "from"), {}};
  Price& price = out.price;
  price.input = dollars(given, "input", 0, per);
  price.output = dollars(given, "output", 0, per);
  price.cache_read = dollars(given, "cache_read", price.input, per);
  price.cache_write = dollars(given, "cache_write", price.input, per);
  price.context = number_at(given, "context");
  const auto& above = member(given, "above");
  price.above = number_at(above, "tokens");
  price.above_input = dollars(above, "input", 0, per);
  price.above_output = dollars(above, "output", 0, per);
  return out;
}

Result<Prices> Prices::read(std::string_view json) {
  const auto given = parsed(json);
  const auto& models = member(given, "models");
  if (!models.IsArray()) {
    return Status::invalid(
        "prices are JSON: {\"per\":1000000,\"models\":[{provider,match,input,"
        "output}]}; this is not");
  }
  const auto& per = member(given, "per");
  if (!per.IsNull() && (!per.IsNumber() || per.GetDouble() <= 0)) {
    return Status::invalid("per is no number of tokens");
  }
  Prices out;
  for (const auto& model : models.GetArray()) {
    auto entry = entry_of(compact(model), per.IsNull() ? kPer : per.GetDouble());
    if (!entry) {
      return Status::invalid("models[" + std::to_string(out.entries_.size()) + "] " +
                             entry.message());
    }
    out.entries_.push_back(std::move(*entry));
  }
  return out;
}

Prices Prices::builtin() {
  auto out = read(kBuiltinPrices);
  return out ? std::move(*out) : Prices();
}

std::optional<Price> Prices::find(const std::string& provider, const std::string& model,
                                  const std::string& date) const {
  const Entry* best = nullptr;
  for (const auto& entry : entries_) {
    if (entry.provider != provider || !begins(entry.match, model) || entry.from > date) continue;
    const bool better = best == nullptr || entry.match.size() > best->match.size() ||
                        (entry.match == best->match && entry.from >= best->from);
    if (better) best = &entry;
  }
  if (best == nullptr) return std::nullopt;
  return best->price;
}

}  // namespace gantry::cli::chat
