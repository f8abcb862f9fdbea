#include "tools/gantry/model/looks.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <string_view>
#include <vector>

#include "sdk/contract/text.hpp"
#include "tools/gantry/model/given_names.hpp"

namespace gantry::cli {
namespace {

constexpr std::size_t kMostBytes = 1024;  // a pattern takes stack for each byte

using contract::is_digit;

bool is_like(const std::string& text, const std::regex& pattern) {
  return text.size() <= kMostBytes && std::regex_match(text, pattern);
}

// In ASCII: "ß" as "ss", another letter with a mark as 'e', each line break as a comma.
std::string folded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (text.substr(i).starts_with("ß")) {
      out += "ss";
      ++i;
    } else if (c >= 0xC0) {
      out += 'e';
    } else if (c == '\n') {
      out += ", ";
    } else if (c < 0x80 && c != '\r') {
      out += text[i];
    }
  }
  return out;
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  bool is_open = false;
  for (const char c : text) {
    if (c == ' ') {
      is_open = false;
      continue;
    }
    if (!is_open) parts.emplace_back();
    parts.back() += c;
    is_open = true;
  }
  return parts;
}

bool is_particle(const std::string& part) {
  constexpr std::array<std::string_view, 12> kParticles{"van", "von", "de", "da",  "di", "der",
                                                        "den", "del", "la", "bin", "al", "y"};
  return std::find(kParticles.begin(), kParticles.end(), part) != kParticles.end();
}

bool is_title(const std::string& part) {
  constexpr std::array<std::string_view, 12> kTitles{"Mr", "Mr.", "Mrs",  "Mrs.",  "Ms",   "Ms.",
                                                     "Dr", "Dr.", "Prof", "Prof.", "Herr", "Frau"};
  return std::find(kTitles.begin(), kTitles.end(), part) != kTitles.end();
}

// "Ada", "O'Neil", "Meyer-Landrut", "J.", "van".
bool is_name_part(const std::string& part) {
  if (is_particle(part)) return true;
  const bool begins =
      (part[0] >= 'A' && part[0] <= 'Z') || static_cast<unsigned char>(part[0]) >= 0xC0;
  return begins && std::none_of(part.begin(), part.end(), [](char c) {
           return is_digit(c) || (std::ispunct(static_cast<unsigned char>(c)) != 0 && c != '\'' &&
                                  c != '-' && c != '.');
         });
}

// Without titles, the given name first.
std::vector<std::string> name_parts(const std::string& text) {
  auto parts = parts_of(text);
  if (parts.size() > 5) return {};
  parts.erase(std::remove_if(parts.begin(), parts.end(), is_title), parts.end());
  if (parts.size() > 1 && parts[0].ends_with(',')) {
    parts[0].pop_back();
    std::rotate(parts.begin(), parts.begin() + 1, parts.end());
  }
  const bool all = std::all_of(parts.begin(), parts.end(), [](const std::string& part) {
    return !part.empty() && is_name_part(part);
  });
  return all ? parts : std::vector<std::string>();
}

}  // namespace

bool is_card(const std::string& text) {
  std::string digits;
  for (const char c : text) {
    if (is_digit(c)) digits += c;
    if (!is_digit(c) && c != ' ' && c != '-') return false;
  }
  if (digits.size() < 13 || digits.size() > 19) return false;
  int sum = 0;  // by Luhn
  for (std::size_t i = 0; i < digits.size(); ++i) {
    int digit = digits[digits.size() - 1 - i] - '0';
    if (i % 2 == 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 == 0;
}

bool is_email(const std::string& text) {
  static const std::regex kEmail(R"([A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,})");
  return is_like(text, kEmail);
}

bool is_phone(const std::string& text) {
  static const std::regex kPhone(R"((\+|\(|0)[0-9 ()/.-]{6,24})");
  const auto digits = std::count_if(text.begin(), text.end(), is_digit);
  return digits >= 7 && digits <= 15 && is_like(text, kPhone) &&
         (text[0] == '+' || text.find_first_of(" ()/-") != std::string::npos);
}

bool is_iban(const std::string& text) {
  static const std::regex kIban("[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}");
  return is_like(text, kIban);
}

bool is_secret(const std::string& text) {
  static const std::regex kSecret(
      R"(\$(2[aby]|argon2|5|6|scrypt)[^ ]{8,}|eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_.-]+)"
      R"(|(sk|pk|gnt|ghp|xox[bp])[-_][A-Za-z0-9_-]{16,}|AKIA[A-Z0-9]{16})"
      R"(|([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}))");
  return text.starts_with("-----BEGIN") || std::regex_match(text.substr(0, kMostBytes), kSecret);
}

bool is_address(const std::string& text) {
  static const std::array kAddresses{
      // Hauptstr. 1, Am Alten Markt-Weg 12 b
      std::regex(R"([A-Za-z .'-]*(str\.|strasse|Strasse|[a-z]weg|[ -]Weg|[a-z]platz|[ -]Platz|)"
                 R"([a-z]allee|[ -]Allee|[a-z]gasse|[a-z]damm|[ -]Damm|[a-z]ufer|[ -]Ufer) ?)"
                 R"([0-9]+ ?[a-z]?(,.*)?)"),
      // 12 Main Street, 4b Elm Ave., Springfield
      std::regex(R"([0-9]+[A-Za-z]? [A-Z0-9][A-Za-z0-9 .'-]* (St|Street|Ave|Avenue|Rd|Road|Blvd|)"
                 R"(Boulevard|Lane|Ln|Drive|Dr|Court|Ct|Square|Way|Place|Terrace|Highway|Hwy|)"
                 R"(Parkway|Pkwy)\.?(,? .*)?)"),
      // 5 rue de Rivoli, 75001 Paris; Calle Mayor 3; Via Roma 12
      std::regex(R"([0-9]+( bis)?,? (rue|avenue|boulevard|place|chemin|allee|impasse|quai) .+)"),
      std::regex(R"((Calle|Avenida|Plaza|Paseo|Viale|Via|Piazza|Corso) [A-Z][A-Za-z '.-]*,? )"
                 R"([0-9]+[a-z]?(,.*)?)"),
      // Any street 1, 12345 Berlin; 1 Infinite Loop, Cupertino, CA 95014
      std::regex(R"([A-Za-z][A-Za-z .'-]* [0-9]+ ?[a-zA-Z]?, ?([A-Z]{1,2}-)?[0-9]{4,5} )"
                 R"([A-Z][A-Za-z .'-]*(,.*)?)"),
      std::regex(R"([^,]*[0-9][^,]*,.*[, ][A-Z]{2} [0-9]{5}(-[0-9]{4})?(,.*)?)"),
      std::regex(R"([^,]*[0-9][^,]*,.*[, ][A-Z]{1,2}[0-9][A-Z0-9]? [0-9][A-Z]{2}(,.*)?)")};
  if (text.size() > kMostBytes / 4) return false;
  const std::string ascii = folded(text);
  return std::any_of(kAddresses.begin(), kAddresses.end(),
                     [&](const std::regex& pattern) { return is_like(ascii, pattern); });
}

bool is_person_name(const std::string& text) {
  if (text.size() > 80) return false;
  const auto parts = name_parts(text);
  return parts.size() >= 2 && parts.size() <= 4 && is_common_given_name(parts[0]);
}

bool is_given_name(const std::string& text) {
  if (text.size() > 40) return false;
  const auto parts = name_parts(text);
  return parts.size() == 1 && is_common_given_name(parts[0]);
}

int year_of_day(const std::string& text) {
  static const std::regex kYearFirst(
      R"(([0-9]{4})-[0-9]{2}-[0-9]{2}([T ]00:00(:00(\.0+)?)?(Z|\+00:00)?)?)");
  static const std::regex kYearLast(R"([0-9]{1,2}[./][0-9]{1,2}[./]([0-9]{4}))");
  std::smatch found;
  if (text.size() > 40) return 0;
  const bool is_day =
      std::regex_match(text, found, kYearFirst) || std::regex_match(text, found, kYearLast);
  return is_day ? std::stoi(found[1]) : 0;
}

}  // namespace gantry::cli
