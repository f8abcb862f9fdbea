// tools/gantry/model/looks.hpp: what one sampled text looks like.
//
// Guesses by the form of a text. A text of more than 1,024 bytes looks like a secret or like
// nothing. Pure functions.
#pragma once

#include <string>

namespace gantry::cli {

bool is_email(const std::string& text);
bool is_phone(const std::string& text);
bool is_card(const std::string& text);  // a card number, by its check digit
bool is_iban(const std::string& text);
bool is_secret(const std::string& text);  // keys, tokens, digests
// A street with a house number, or a place with a postal code after one: "Hauptstr. 1, 12345
// Berlin", "12 Main Street", "5 rue de Rivoli, 75001 Paris".
bool is_address(const std::string& text);
// Two to four words, of which the first (or the one after a comma) is a common given name.
bool is_person_name(const std::string& text);
// A common given name alone.
bool is_given_name(const std::string& text);
// The year of a date without a time of day: "1981-03-01", "1981-03-01T00:00:00.000Z", "01.03.1981",
// "3/1/1981"; 0: it is none.
int year_of_day(const std::string& text);

}  // namespace gantry::cli
