#include "tools/gantry/model/guess.hpp"

#include <algorithm>
#include <array>
#include <regex>

namespace gantry::cli {
namespace {

using Words = std::vector<std::string>;

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
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
                            Hint{"surname", "", "personal", "name"},
                            Hint{"forename", "", "personal", "name"},
                            Hint{"address", "", "personal", "address"},
                            Hint{"street", "", "personal", "address"},
                            Hint{"zip", "", "personal", "address"},
                            Hint{"zip", "code", "personal", "address"},
                            Hint{"postcode", "", "personal", "address"},
                            Hint{"postal", "code", "personal", "address"},
                            Hint{"birth", "", "personal", "birth date"},
                            Hint{"birthday", "", "personal", "birth date"},
                            Hint{"birth", "date", "personal", "birth date"},
                            Hint{"born", "", "personal", "birth date"},
                            Hint{"dob", "", "personal", "birth date"},
                            Hint{"card", "number", "personal", "card"},
                            Hint{"credit", "card", "personal", "card"},
                            Hint{"iban", "", "personal", "account number"},
                            Hint{"account", "number", "personal", "account number"},
                            Hint{"bank", "account", "personal", "account number"},
                            Hint{"ssn", "", "personal", "social security number"},
                            Hint{"passport", "", "personal", "passport"},
                            Hint{"tax", "id", "personal", "tax number"},
                            Hint{"salary", "", "personal", "salary"},
                            Hint{"wage", "", "personal", "salary"}};

constexpr std::array<std::string_view, 20> kPersons{
    "customer",  "user",    "person", "people", "employee", "contact",   "member",
    "patient",   "student", "author", "staff",  "seller",   "owner",     "guest",
    "applicant", "teacher", "driver", "client", "donor",    "subscriber"};

bool is_person(std::string_view cls) {
  for (const std::string& word : words_of(cls)) {
    const bool is_known = std::any_of(kPersons.begin(), kPersons.end(), [&](auto person) {
      return word == person || word == std::string(person) + "s";
    });
    if (is_known) return true;
  }
  return false;
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

// The sum of digits by which card numbers are checked (Luhn).
bool is_card(const std::string& text) {
  std::string digits;
  for (const char c : text) {
    if (is_digit(c)) digits += c;
    if (!is_digit(c) && c != ' ' && c != '-') return false;
  }
  if (digits.size() < 13 || digits.size() > 19) return false;
  int sum = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    int digit = digits[digits.size() - 1 - i] - '0';
    if (i % 2 == 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 == 0;
}

bool matches(const std::string& text, const char* pattern) {
  return std::regex_match(text, std::regex(pattern));
}

bool is_email(const std::string& text) {
  return matches(text, R"([A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,})");
}
bool is_phone(const std::string& text) {
  const auto digits = std::count_if(text.begin(), text.end(), is_digit);
  return digits >= 7 && digits <= 15 && matches(text, R"((\+|\(|0)[0-9 ()/.-]{6,24})") &&
         (text[0] == '+' || text.find_first_of(" ()/-") != std::string::npos);
}
bool is_iban(const std::string& text) { return matches(text, "[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}"); }
bool is_secret(const std::string& text) {
  return matches(text, R"(\$(2[aby]|argon2|5|6|scrypt)[^ ]{8,})") ||
         matches(text, R"(eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_.-]+)") || text.starts_with("-----BEGIN") ||
         matches(text, R"((sk|pk|gnt|ghp|xox[bp])[-_][A-Za-z0-9_-]{16,})") ||
         matches(text, "AKIA[A-Z0-9]{16}") ||
         matches(text, "([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})");
}

struct Look {
  bool (*is)(const std::string&);
  const char* what;
  const char* like;
};
constexpr std::array kLooks{
    Look{is_secret, "secret", "keys or digests"}, Look{is_email, "personal", "e-mail addresses"},
    Look{is_card, "personal", "card numbers"}, Look{is_iban, "personal", "account numbers"},
    Look{is_phone, "personal", "phone numbers"}};

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
  const Words words = words_of(field);
  for (const Hint& hint : kHints) {
    if (!is_in(words, hint)) continue;
    return Suspicion{std::string(hint.what), "the name says " + std::string(hint.says)};
  }
  if (words == Words{"name"} && is_person(cls)) {
    return Suspicion{"personal", "the name says name, in a class of persons"};
  }
  return std::nullopt;
}

std::optional<Suspicion> suspicion_of_values(const std::vector<std::string>& texts) {
  for (const Look& look : kLooks) {
    const auto alike = static_cast<std::size_t>(std::count_if(texts.begin(), texts.end(), look.is));
    if (alike == 0 || 2 * alike < texts.size()) continue;
    return Suspicion{look.what, std::to_string(alike) + " of " + std::to_string(texts.size()) +
                                    " sampled values look like " + look.like};
  }
  return std::nullopt;
}

}  // namespace gantry::cli
