#include "compile/uri.hpp"

#include <charconv>

namespace gantry::schema::detail {
namespace {

struct Parts {
  std::string_view scheme;     // with its ':'
  std::string_view authority;  // with its "//"
  std::string_view path;
  std::string_view rest;  // '?' and '#' onwards
};

bool is_scheme(std::string_view s) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (s.empty() || !letter(s[0])) return false;
  for (const char c : s) {
    if (!letter(c) && !(c >= '0' && c <= '9') && c != '+' && c != '-' && c != '.') return false;
  }
  return true;
}

Parts parse(std::string_view uri) {
  Parts p;
  const std::size_t tail = std::min(uri.find_first_of("?#"), uri.size());
  p.rest = uri.substr(tail);
  uri = uri.substr(0, tail);
  const std::size_t colon = uri.find(':');
  if (colon != std::string_view::npos && is_scheme(uri.substr(0, colon))) {
    p.scheme = uri.substr(0, colon + 1);
    uri.remove_prefix(colon + 1);
  }
  if (uri.starts_with("//")) {
    p.authority = uri.substr(0, std::min(uri.find('/', 2), uri.size()));
    uri.remove_prefix(p.authority.size());
  }
  p.path = uri;
  return p;
}

void drop_last_segment(std::string& path) {
  const std::size_t slash = path.rfind('/');
  path.resize(slash == std::string::npos ? 0 : slash);
}

std::string without_dots(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    if (path.starts_with("../")) {
      path.remove_prefix(3);
    } else if (path.starts_with("./")) {
      path.remove_prefix(2);
    } else if (path.starts_with("/./")) {
      path.remove_prefix(2);
    } else if (path == "/.") {
      path = "/";
    } else if (path.starts_with("/../")) {
      path.remove_prefix(3);
      drop_last_segment(out);
    } else if (path == "/..") {
      path = "/";
      drop_last_segment(out);
    } else if (path == "." || path == "..") {
      path = {};
    } else {
      const std::size_t end = std::min(path.find('/', 1), path.size());
      out += path.substr(0, end);
      path.remove_prefix(end);
    }
  }
  return out;
}

std::string merged_path(const Parts& base, std::string_view path) {
  if (path.starts_with('/')) return without_dots(path);
  if (!base.authority.empty() && base.path.empty()) return without_dots("/" + std::string(path));
  const std::size_t slash = base.path.rfind('/');
  const std::size_t keep = slash == std::string_view::npos ? 0 : slash + 1;
  return without_dots(std::string(base.path.substr(0, keep)) + std::string(path));
}

}  // namespace

std::string resolve_uri(std::string_view base, std::string_view reference) {
  const Parts b = parse(base);
  const Parts r = parse(reference);
  if (base.empty() || !r.scheme.empty()) return std::string(reference);
  std::string out(b.scheme);
  if (!r.authority.empty())
    return out + std::string(r.authority) + without_dots(r.path).append(r.rest);
  out += b.authority;
  if (!r.path.empty()) return out + merged_path(b, r.path).append(r.rest);
  out += b.path;
  if (r.rest.starts_with('?')) return out.append(r.rest);
  return out.append(b.rest.substr(0, std::min(b.rest.find('#'), b.rest.size()))).append(r.rest);
}

SplitUri split_fragment(std::string_view uri) {
  const std::size_t hash = uri.find('#');
  if (hash == std::string_view::npos) return {uri, {}};
  return {uri.substr(0, hash), uri.substr(hash + 1)};
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned value = 0;
    if (i + 2 >= text.size()) return std::nullopt;
    const char* end = text.data() + i + 3;
    const auto read = std::from_chars(text.data() + i + 1, end, value, 16);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    out += static_cast<char>(value);
    i += 2;
  }
  return out;
}

}  // namespace gantry::schema::detail
