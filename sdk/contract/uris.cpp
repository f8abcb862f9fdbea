#include "sdk/contract/uris.hpp"

#include <algorithm>
#include <set>

#include "sdk/contract/text.hpp"

namespace gantry::contract {
namespace {

// Where the scheme's colon stands, or npos.
std::size_t end_of_scheme(std::string_view text) {
  if (text.empty() || !is_letter(text.front())) return text.npos;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ':') return i;
    if (!is_letter(c) && !is_digit(c) && c != '+' && c != '-' && c != '.') return text.npos;
  }
  return text.npos;
}

bool uri_character(char c) {
  constexpr std::string_view kOthers = "-._~:/?#[]@!$&'()*+,;=%";
  return is_letter(c) || is_digit(c) || kOthers.find(c) != kOthers.npos;
}

bool made_of_uri_characters(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!uri_character(text[i])) return false;
    if (text[i] != '%') continue;
    if (i + 2 >= text.size() || !is_hex_digit(text[i + 1]) || !is_hex_digit(text[i + 2]))
      return false;
  }
  return true;
}

Status wrong(const std::string& place, const std::string& wanted, std::string_view text) {
  constexpr std::size_t kShown = 200;
  return Status::invalid(place + " must be " + wanted + "; it is \"" +
                         std::string(text.substr(0, kShown)) + "\"");
}

bool variable_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '_';
  });
}

// The expressions taken out one by one, with the sentence for what is wrong with one.
class TemplateCheck {
 public:
  TemplateCheck(const std::string& place, std::string_view text) : place_(place), text_(text) {}

  Status run() {
    const std::size_t colon = end_of_scheme(text_);
    if (colon == text_.npos || colon + 1 == text_.size()) {
      return wrong(place_, "a URI template such as \"app://log/{day}\"", text_);
    }
    for (std::size_t at = 0;;) {
      const std::size_t open = text_.find_first_of("{}", at);
      if (!made_of_uri_characters(text_.substr(at, open - at))) return bad_characters();
      if (open == text_.npos) break;
      if (!names_.empty() && open == at) {
        return wrong(place_, "a template with a literal between any two expressions", text_);
      }
      if (Status status = expression(open, at); !status) return status;
    }
    if (!names_.empty()) return Status::ok();
    return wrong(place_, "a template with an expression such as {day}; without one use a resource",
                 text_);
  }

 private:
  Status expression(std::size_t open, std::size_t& next) {
    const std::size_t close = text_.find_first_of("{}", open + 1);
    if (text_[open] != '{' || close == text_.npos || text_[close] != '}') {
      return wrong(place_, "a template whose braces come in pairs", text_);
    }
    const std::string_view name = text_.substr(open + 1, close - open - 1);
    if (!variable_name(name)) {
      return wrong(place_, "a template of expressions {name}, name being 1 to 64 of A-Z a-z 0-9 _",
                   text_);
    }
    if (!names_.insert(name).second) {
      return wrong(place_, "a template that has each name once", text_);
    }
    next = close + 1;
    return Status::ok();
  }

  Status bad_characters() const {
    return wrong(place_, "made of the characters of URIs, others as %XX", text_);
  }

  const std::string& place_;
  const std::string_view text_;
  std::set<std::string_view> names_;
};

Status too_long(const std::string& place, std::string_view text) {
  return Status::invalid(place + " has " + std::to_string(text.size()) + " bytes; at most " +
                         std::to_string(kMaxUri) + " are allowed");
}

}  // namespace

Status check_uri(const std::string& place, std::string_view text) {
  if (text.size() > kMaxUri) return too_long(place, text);
  const std::size_t colon = end_of_scheme(text);
  if (colon == text.npos || colon + 1 == text.size()) {
    return wrong(place, "a URI with its scheme such as \"app://config/main\"", text);
  }
  if (made_of_uri_characters(text)) return Status::ok();
  return wrong(place, "made of the characters of URIs, others as %XX", text);
}

Status check_uri_template(const std::string& place, std::string_view text) {
  if (text.size() > kMaxUri) return too_long(place, text);
  return TemplateCheck(place, text).run();
}

namespace {

// A template cut up: literal 0, variable 0, literal 1, … and a last literal; literals may be empty.
struct Pieces {
  std::vector<std::string_view> literals, names;
};

std::optional<Pieces> pieces_of(std::string_view text) {
  Pieces pieces;
  for (;;) {
    const std::size_t open = text.find_first_of("{}");
    pieces.literals.push_back(text.substr(0, open));
    if (open == std::string_view::npos) return pieces;
    const std::size_t close = text.find_first_of("{}", open + 1);
    if (text[open] != '{' || close == std::string_view::npos || text[close] != '}') {
      return std::nullopt;
    }
    pieces.names.push_back(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
}

// Where the value that begins at `from` ends so that `literal` follows it; the earliest such place,
// or, for the last literal, the one that leaves nothing over. The earliest is enough: a variable
// cannot reach over a '/', so a later one would not let what follows reach further.
std::size_t end_of_value(std::string_view uri, std::size_t from, std::string_view literal,
                         bool last) {
  const std::size_t slash = uri.find('/', from);
  const std::size_t most = slash == std::string_view::npos ? uri.size() : slash;
  if (last) {
    if (uri.size() < literal.size() || !uri.ends_with(literal)) return std::string_view::npos;
    const std::size_t end = uri.size() - literal.size();
    return end > from && end <= most ? end : std::string_view::npos;
  }
  if (from >= uri.size()) return std::string_view::npos;
  const std::size_t end = uri.find(literal, from + 1);
  return end != std::string_view::npos && end <= most ? end : std::string_view::npos;
}

}  // namespace

std::optional<UriVariables> match_uri(std::string_view uri_template, std::string_view uri) {
  const auto pieces = pieces_of(uri_template);
  if (!pieces || !uri.starts_with(pieces->literals.front())) return std::nullopt;
  if (pieces->names.empty()) {
    return uri == uri_template ? std::optional(UriVariables()) : std::nullopt;
  }
  UriVariables variables;
  std::size_t at = pieces->literals.front().size();
  for (std::size_t i = 0; i < pieces->names.size(); ++i) {
    const std::string_view next = pieces->literals[i + 1];
    const std::size_t end = end_of_value(uri, at, next, i + 1 == pieces->names.size());
    if (end == std::string_view::npos) return std::nullopt;
    auto value = percent_decoded(uri.substr(at, end - at));
    if (!value || !is_utf8(*value)) return std::nullopt;
    variables.emplace_back(pieces->names[i], std::move(*value));
    at = end + next.size();
  }
  return variables;
}

}  // namespace gantry::contract
