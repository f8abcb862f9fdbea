// tools/gantry/model/guess.hpp: what names and sampled values tell about a field.
//
// Guesses for an operator to look at, never a decision. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::cli {

// The words of a name in lower case: first_name, firstName, "First name" are {first, name}.
std::vector<std::string> words_of(std::string_view name);

// "Order lines" for order_lines.
std::string sentence_of(std::string_view name);

struct Suspicion {
  std::string what;  // "secret" or "personal"
  std::string
      reason;  // "the name says e-mail", "9 of 10 sampled values look like e-mail addresses"
};

// Of a field by its name; `cls` is its class, where a bare "name" may be a person's.
std::optional<Suspicion> suspicion_of_name(std::string_view cls, std::string_view field);
// Of its sampled texts, if at least half of them look alike; of names of persons a third.
std::optional<Suspicion> suspicion_of_values(const std::vector<std::string>& texts);
// Of its sampled dates, in a class of persons: if at least half of them are days on which a person
// of fourteen years or more may have been born, and its name says nothing else (hire_date).
std::optional<Suspicion> suspicion_of_days(std::string_view cls, std::string_view field,
                                           const std::vector<std::string>& texts, int this_year);

}  // namespace gantry::cli
