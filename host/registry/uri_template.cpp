#include "host/registry/uri_template.hpp"

#include "host/base/text.hpp"

namespace gantry::host {
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

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex(text[i + 1]), low = hex(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  if (!is_utf8(out)) return std::nullopt;
  return out;
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
    auto value = decoded(uri.substr(at, end - at));
    if (!value) return std::nullopt;
    variables.emplace_back(pieces->names[i], std::move(*value));
    at = end + next.size();
  }
  return variables;
}

}  // namespace gantry::host
