// Translates an ECMA-262 pattern (Unicode mode) to PCRE2, and refuses syntax that only PCRE2 has,
// so that a pattern has the same meaning as in other validators.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "regex.hpp"

namespace gantry::schema::detail {
namespace {

struct Alias {
  std::string_view name;
  std::string_view pcre;
};

constexpr std::array<Alias, 40> kCategories{{{"Letter", "L"},
                                             {"Cased_Letter", "L&"},
                                             {"LC", "L&"},
                                             {"Uppercase_Letter", "Lu"},
                                             {"Lowercase_Letter", "Ll"},
                                             {"Titlecase_Letter", "Lt"},
                                             {"Modifier_Letter", "Lm"},
                                             {"Other_Letter", "Lo"},
                                             {"Mark", "M"},
                                             {"Combining_Mark", "M"},
                                             {"Nonspacing_Mark", "Mn"},
                                             {"Spacing_Mark", "Mc"},
                                             {"Enclosing_Mark", "Me"},
                                             {"Number", "N"},
                                             {"Decimal_Number", "Nd"},
                                             {"digit", "Nd"},
                                             {"Letter_Number", "Nl"},
                                             {"Other_Number", "No"},
                                             {"Symbol", "S"},
                                             {"Math_Symbol", "Sm"},
                                             {"Currency_Symbol", "Sc"},
                                             {"Modifier_Symbol", "Sk"},
                                             {"Other_Symbol", "So"},
                                             {"Punctuation", "P"},
                                             {"punct", "P"},
                                             {"Connector_Punctuation", "Pc"},
                                             {"Dash_Punctuation", "Pd"},
                                             {"Open_Punctuation", "Ps"},
                                             {"Close_Punctuation", "Pe"},
                                             {"Initial_Punctuation", "Pi"},
                                             {"Final_Punctuation", "Pf"},
                                             {"Other_Punctuation", "Po"},
                                             {"Separator", "Z"},
                                             {"Space_Separator", "Zs"},
                                             {"Line_Separator", "Zl"},
                                             {"Paragraph_Separator", "Zp"},
                                             {"Other", "C"},
                                             {"Control", "Cc"},
                                             {"cntrl", "Cc"},
                                             {"Format", "Cf"}}};

constexpr std::string_view kSpaces =
    R"(\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff})";
constexpr std::string_view kNotSpaces =
    R"(\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027})"
    R"(\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff})";

std::string property(std::string_view name) {
  for (const std::string_view prefix : {"General_Category=", "gc="}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  for (const std::string_view prefix : {"Script=", "sc="}) {
    if (name.starts_with(prefix)) return "sc:" + std::string(name.substr(prefix.size()));
  }
  for (const std::string_view prefix : {"Script_Extensions=", "scx="}) {
    if (name.starts_with(prefix)) return "scx:" + std::string(name.substr(prefix.size()));
  }
  const auto* at = std::find_if(kCategories.begin(), kCategories.end(),
                                [&](const Alias& a) { return a.name == name; });
  return std::string(at != kCategories.end() ? at->pcre : name);
}

class Translator {
 public:
  explicit Translator(std::string_view in) : in_(in) {}

  Result<std::string> run() {
    while (at_ < in_.size() && problem_.empty()) step();
    if (problem_.empty()) return std::move(out_);
    return Status::invalid(problem_ + " near offset " + std::to_string(at_));
  }

 private:
  std::string_view rest() const { return in_.substr(at_); }
  void copy(std::size_t n) {
    out_ += in_.substr(at_, n);
    at_ += n;
  }
  void refuse(std::string why) {
    if (problem_.empty()) problem_ = std::move(why);
  }
  void code_point(std::uint32_t c) {
    char hex[8];
    const auto end = std::to_chars(hex, hex + sizeof hex, c, 16);
    out_ += "\\x{" + std::string(hex, end.ptr) + "}";
  }

  void step() {
    if (in_[at_] == '\\') return escape();
    in_class_ ? class_item() : plain();
  }

  void class_item() {
    if (in_[at_] == ']') in_class_ = false;
    // In PCRE2 "[:alpha:]" inside a class is a named class, in ECMA-262 it is a list of characters.
    if (in_[at_] == '[') out_ += '\\';
    copy(1);
  }

  void plain() {
    switch (in_[at_]) {
      case '[':
        in_class_ = true;
        quantified_ = false;
        return copy(rest().starts_with("[^") ? 2 : 1);
      case '.':
        out_ += R"([^\n\r\x{2028}\x{2029}])";
        ++at_;
        quantified_ = false;
        return;
      case '(':
        return group();
      case '*':
      case '+':
      case '?':
        return quantifier();
      case '{':
        return braces();
      default:
        quantified_ = false;
        return copy(1);
    }
  }

  void group() {
    quantified_ = false;
    if (rest().starts_with("(*")) return refuse("nothing to repeat");
    if (!rest().starts_with("(?")) return copy(1);
    for (const std::string_view known : {"(?:", "(?=", "(?!", "(?<=", "(?<!"}) {
      if (rest().starts_with(known)) return copy(known.size());
    }
    if (!rest().starts_with("(?<")) return refuse("unknown kind of group");
    copy(3);
  }

  // "a+?" is lazy in both; "a++" is possessive in PCRE2 and an error in ECMA-262.
  void quantifier() {
    if (quantified_ && !(lazy_allowed_ && in_[at_] == '?')) return refuse("nothing to repeat");
    lazy_allowed_ = !quantified_;
    quantified_ = true;
    copy(1);
  }

  void braces() {
    const std::size_t end = rest().find_first_not_of("0123456789,", 1);
    const bool is_count =
        end != std::string_view::npos && end > 1 && rest()[end] == '}' && rest()[1] != ',';
    if (!is_count) {
      out_ += '\\';
      quantified_ = false;
      return copy(1);
    }
    if (quantified_) return refuse("nothing to repeat");
    lazy_allowed_ = quantified_ = true;
    copy(end + 1);
  }

  void escape() {
    quantified_ = false;
    if (at_ + 1 >= in_.size()) return refuse("a lone backslash at the end");
    const char c = in_[at_ + 1];
    switch (c) {
      case 's':
      case 'S':
        return space(c == 's');
      case 'p':
      case 'P':
        return named_property();
      case 'u':
        return unicode();
      case 'x':
        return hex_pair();
      case 'c':
        return control();
      case '0':
        at_ += 2;
        return code_point(0);
      default:
        return simple(c);
    }
  }

  void simple(char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const std::string_view known = in_class_ ? "bdDfnrtvwW" : "bBdDfknrtvwW";
    if (letter && known.find(c) == std::string_view::npos) {
      return refuse(std::string("unknown escape '\\") + c + "'");
    }
    if (c == 'v') {  // a literal character in ECMA-262, vertical white space in PCRE2
      at_ += 2;
      return code_point(0x0b);
    }
    copy(2);
  }

  void space(bool is_space) {
    at_ += 2;
    if (in_class_) {
      out_ += is_space ? kSpaces : kNotSpaces;
    } else {
      (out_ += is_space ? "[" : "[^") += kSpaces;
      out_ += ']';
    }
  }

  void named_property() {
    const std::size_t end = rest().find('}');
    if (end == std::string_view::npos || end < 4 || rest()[2] != '{') {
      return refuse("\\p needs a property in braces");
    }
    (out_ += in_.substr(at_, 3)) += property(rest().substr(3, end - 3));
    out_ += '}';
    at_ += end + 1;
  }

  std::optional<std::uint32_t> hex(std::size_t from, std::size_t digits) const {
    if (from + digits > in_.size() || digits == 0) return std::nullopt;
    std::uint32_t value = 0;
    const char* end = in_.data() + from + digits;
    const auto read = std::from_chars(in_.data() + from, end, value, 16);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    return value;
  }

  void hex_pair() {
    const auto value = hex(at_ + 2, 2);
    if (!value) return refuse("\\x needs two hexadecimal digits");
    at_ += 4;
    code_point(*value);
  }

  void unicode() {
    if (rest().starts_with("\\u{")) {
      const std::size_t end = rest().find('}');
      const auto value = end == std::string_view::npos ? std::nullopt : hex(at_ + 3, end - 3);
      if (!value) return refuse("\\u{ needs hexadecimal digits and '}'");
      at_ += end + 1;
      return code_point(*value);
    }
    auto value = hex(at_ + 2, 4);
    if (!value) return refuse("\\u needs four hexadecimal digits");
    at_ += 6;
    if (*value >= 0xd800 && *value < 0xdc00 && rest().starts_with("\\u")) {
      const auto low = hex(at_ + 2, 4);
      if (low && *low >= 0xdc00 && *low < 0xe000) {
        value = 0x10000 + ((*value - 0xd800) << 10U) + (*low - 0xdc00);
        at_ += 6;
      }
    }
    code_point(*value);
  }

  void control() {
    const char c = at_ + 2 < in_.size() ? in_[at_ + 2] : '\0';
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter) return refuse("\\c needs a letter");
    at_ += 3;
    code_point(static_cast<std::uint32_t>(c) & 31U);
  }

  std::string_view in_;
  std::size_t at_ = 0;
  std::string out_;
  std::string problem_;
  bool in_class_ = false;
  bool quantified_ = false;
  bool lazy_allowed_ = false;
};

}  // namespace

Result<std::string> to_pcre(std::string_view ecma) { return Translator(ecma).run(); }

}  // namespace gantry::schema::detail
