#include "tools/gantry/model/guess.hpp"

#include <algorithm>
#include <array>

#include "sdk/contract/text.hpp"
#include "tools/gantry/model/looks.hpp"

namespace gantry::cli {
namespace {

using Words = std::vector<std::string>;

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
using contract::is_digit;
char lower(char c) { return is_upper(c) ? static_cast<char>(c + 32) : c; }
bool is_word_byte(char c) {
  return is_digit(c) || is_upper(c) || (c >= 'a' && c <= 'z') ||
         static_cast<unsigned char>(c) > 127;
}

// One or two words that follow each other, or the two as one.
struct Hint {
  std::string_view first, second;
  std::string_view what, says;
};

constexpr std::array kHints{Hint{"password", "", "secret", "password"},
                            Hint{"passwd", "", "secret", "password"},
                            Hint{"pwd", "", "secret", "password"},
                            Hint{"passphrase", "", "secret", "password"},
                            Hint{"secret", "", "secret", "secret"},
                            Hint{"token", "", "secret", "token"},
                            Hint{"salt", "", "secret", "salt"},
                            Hint{"api", "key", "secret", "key"},
                            Hint{"private", "key", "secret", "key"},
                            Hint{"access", "key", "secret", "key"},
                            Hint{"license", "key", "secret", "key"},
                            Hint{"encryption", "key", "secret", "key"},
                            Hint{"pin", "", "secret", "PIN"},
                            Hint{"recovery", "code", "secret", "one-time code"},
                            Hint{"cvv", "", "secret", "card code"},
                            Hint{"cvc", "", "secret", "card code"},
                            Hint{"otp", "", "secret", "one-time code"},
                            Hint{"credential", "", "secret", "credential"},
                            Hint{"credentials", "", "secret", "credential"},
                            Hint{"email", "", "personal", "e-mail"},
                            Hint{"e", "mail", "personal", "e-mail"},
                            Hint{"mail", "", "personal", "e-mail"},
                            Hint{"phone", "", "personal", "phone"},
                            Hint{"telephone", "", "personal", "phone"},
                            Hint{"mobile", "", "personal", "phone"},
                            Hint{"tel", "", "personal", "phone"},
                            Hint{"fax", "", "personal", "phone"},
                            Hint{"first", "name", "personal", "name"},
                            Hint{"last", "name", "personal", "name"},
                            Hint{"full", "name", "personal", "name"},
                            Hint{"given", "name", "personal", "name"},
                            Hint{"family", "name", "personal", "name"},
                            Hint{"middle", "name", "personal", "name"},
                            Hint{"maiden", "name", "personal", "name"},
                            Hint{"user", "name", "personal", "name"},
                            Hint{"nick", "name", "personal", "name"},
                            Hint{"fname", "", "personal", "name"},
                            Hint{"lname", "", "personal", "name"},
                            Hint{"surname", "", "personal", "name"},
                            Hint{"forename", "", "personal", "name"},
                            Hint{"address", "", "personal", "address"},
                            Hint{"addr", "", "personal", "address"},
                            Hint{"street", "", "personal", "address"},
                            Hint{"zip", "", "personal", "address"},
                            Hint{"zip", "code", "personal", "address"},
                            Hint{"postcode", "", "personal", "address"},
                            Hint{"postal", "code", "personal", "address"},
                            Hint{"birth", "", "personal", "birth date"},
                            Hint{"birthday", "", "personal", "birth date"},
                            Hint{"birth", "date", "personal", "birth date"},
                            Hint{"birthdate", "", "personal", "birth date"},
                            Hint{"bday", "", "personal", "birth date"},
                            Hint{"born", "", "personal", "birth date"},
                            Hint{"dob", "", "personal", "birth date"},
                            Hint{"card", "number", "personal", "card"},
                            Hint{"credit", "card", "personal", "card"},
                            Hint{"iban", "", "personal", "account number"},
                            Hint{"account", "number", "personal", "account number"},
                            Hint{"account", "no", "personal", "account number"},
                            Hint{"acct", "", "personal", "account number"},
                            Hint{"bank", "account", "personal", "account number"},
                            Hint{"ssn", "", "personal", "social security number"},
                            Hint{"passport", "", "personal", "passport"},
                            Hint{"tax", "id", "personal", "tax number"},
                            Hint{"salary", "", "personal", "salary"},
                            Hint{"wage", "", "personal", "salary"}};

constexpr std::array<std::string_view, 44> kPersons{
    "customer",  "user",      "person",   "people",    "employee",  "contact",     "member",
    "patient",   "student",   "author",   "staff",     "seller",    "owner",       "guest",
    "applicant", "teacher",   "driver",   "client",    "donor",     "subscriber",  "lead",
    "prospect",  "candidate", "attendee", "passenger", "volunteer", "visitor",     "worker",
    "recipient", "buyer",     "borrower", "holder",    "player",    "beneficiary", "participant",
    "manager",   "doctor",    "nurse",    "children",  "resident",  "spouse",      "salesperson",
    "witness",   "colleague"};

// A class whose name ends so holds no persons: user_roles, customer_types.
constexpr std::array<std::string_view, 10> kNoPersons{"type",   "role",  "group",   "category",
                                                      "status", "tag",   "segment", "permission",
                                                      "level",  "source"};

// Before "key", what no secret is; "public_key" is none either.
constexpr std::array<std::string_view, 22> kPlainKeys{
    "primary", "foreign",     "sort",      "natural", "surrogate", "cache",      "order", "row",
    "object",  "translation", "partition", "lookup",  "business",  "group",      "map",   "parent",
    "date",    "public",      "customer",  "product", "i18n",      "idempotency"};

template <class List>
bool is_one_of(const List& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The word, or the word of which it is the plural.
template <class List>
bool is_one_or_several(const List& words, const std::string& word) {
  if (is_one_of(words, word)) return true;
  if (word.ends_with("ies")) return is_one_of(words, word.substr(0, word.size() - 3) + "y");
  return (word.ends_with("es") && is_one_of(words, word.substr(0, word.size() - 2))) ||
         (word.ends_with('s') && is_one_of(words, word.substr(0, word.size() - 1)));
}

bool is_person(std::string_view cls) {
  const Words words = words_of(cls);
  if (words.empty() || is_one_or_several(kNoPersons, words.back())) return false;
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return is_one_or_several(kPersons, word); });
}

// customer_name, contactName.
bool names_person(const Words& words) {
  return words.size() > 1 && words.back() == "name" &&
         is_one_or_several(kPersons, words[words.size() - 2]);
}

bool is_bare_name(const Words& words) {
  return words == Words{"name"} || words == Words{"display", "name"} ||
         words == Words{"legal", "name"};
}

// key, signing_key; not sort_key.
bool names_key(const Words& words) {
  if (words.empty()) return false;
  const bool is_key = words.back() == "key" || words.back() == "keys" || words.back() == "apikey";
  return is_key && (words.size() == 1 || !is_one_of(kPlainKeys, words[words.size() - 2]));
}

// Without the number behind it: address2.
Words numberless(Words words) {
  for (std::string& word : words) {
    const auto end = word.find_last_not_of("0123456789");
    if (end != std::string::npos) word.resize(end + 1);
  }
  return words;
}

bool is_in(const Words& words, const Hint& hint) {
  const std::string joined = std::string(hint.first) + std::string(hint.second);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == joined) return true;
    const bool follows = i + 1 < words.size() && words[i + 1] == hint.second;
    if (!hint.second.empty() && words[i] == hint.first && follows) return true;
  }
  return false;
}

struct Look {
  bool (*is)(const std::string&);
  const char* what;
  const char* like;
  std::size_t least = 2;  // one of so many must look alike
};
// Many names of persons are not in the list of common ones.
constexpr std::array kLooks{
    Look{is_secret, "secret", "keys or digests"}, Look{is_email, "personal", "e-mail addresses"},
    Look{is_card, "personal", "card numbers"},    Look{is_iban, "personal", "account numbers"},
    Look{is_phone, "personal", "phone numbers"},  Look{is_address, "personal", "addresses"},
    Look{is_given_name, "personal", "names"},     Look{is_person_name, "personal", "names", 3}};

Suspicion by_values(const char* what, std::size_t alike, std::size_t all, const char* like) {
  return {what, std::to_string(alike) + " of " + std::to_string(all) +
                    " sampled values look like " + like};
}

// What a date of a person may be besides a birth date.
constexpr std::array<std::string_view, 46> kEvents{
    "created", "updated",  "modified", "deleted", "changed", "added",   "inserted", "at",
    "hire",    "hired",    "hiring",   "joined",  "join",    "joining", "start",    "started",
    "end",     "ended",    "since",    "until",   "from",    "to",      "last",     "first",
    "next",    "due",      "expires",  "expiry",  "valid",   "entry",   "exit",     "visit",
    "order",   "ordered",  "login",    "seen",    "signup",  "signed",  "register", "registered",
    "contact", "contract", "review",   "paid",    "shipped", "left"};

bool names_event(const Words& words) {
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return is_one_of(kEvents, word); });
}

constexpr int kFirstYear = 1900, kLeastAge = 14;  // of birth dates

}  // namespace

Words words_of(std::string_view name) {
  Words words;
  bool is_open = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_word_byte(c)) {
      is_open = false;
      continue;
    }
    const bool after_lower = i > 0 && !is_upper(name[i - 1]);
    const bool before_lower = i + 1 < name.size() && name[i + 1] >= 'a' && name[i + 1] <= 'z';
    if (!is_open || (is_upper(c) && (after_lower || before_lower))) words.emplace_back();
    words.back() += lower(c);
    is_open = true;
  }
  return words;
}

std::string sentence_of(std::string_view name) {
  std::string text;
  for (const std::string& word : words_of(name)) text += (text.empty() ? "" : " ") + word;
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 32);
  }
  return text;
}

std::optional<Suspicion> suspicion_of_name(std::string_view cls, std::string_view field) {
  const Words words = numberless(words_of(field));
  for (const Hint& hint : kHints) {
    if (!is_in(words, hint)) continue;
    return Suspicion{std::string(hint.what), "the name says " + std::string(hint.says)};
  }
  if (names_key(words)) return Suspicion{"secret", "the name says key"};
  if (names_person(words)) return Suspicion{"personal", "the name says name of a person"};
  if (is_bare_name(words) && is_person(cls)) {
    return Suspicion{"personal", "the name says name, in a class of persons"};
  }
  return std::nullopt;
}

std::optional<Suspicion> suspicion_of_values(const std::vector<std::string>& texts) {
  for (const Look& look : kLooks) {
    const auto alike = static_cast<std::size_t>(std::count_if(texts.begin(), texts.end(), look.is));
    if (alike == 0 || look.least * alike < texts.size()) continue;
    return by_values(look.what, alike, texts.size(), look.like);
  }
  return std::nullopt;
}

std::optional<Suspicion> suspicion_of_days(std::string_view cls, std::string_view field,
                                           const std::vector<std::string>& texts, int this_year) {
  if (!is_person(cls) || names_event(words_of(field))) return std::nullopt;
  const auto alike = static_cast<std::size_t>(
      std::count_if(texts.begin(), texts.end(), [&](const std::string& text) {
        const int year = year_of_day(text);
        return year >= kFirstYear && year <= this_year - kLeastAge;
      }));
  if (alike == 0 || 2 * alike < texts.size()) return std::nullopt;
  return by_values("personal", alike, texts.size(), "birth dates, in a class of persons");
}

}  // namespace gantry::cli
