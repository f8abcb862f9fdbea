#include "host/http/endpoint/disposition.hpp"

#include "host/base/text.hpp"

namespace gantry::host::http {
namespace {

constexpr std::size_t kMostBytes = 200;

bool is_plain(unsigned char c) {
  return c >= ' ' && c < 0x7f &&
         std::string_view("\"%*/:<>?\\|").find(static_cast<char>(c)) == std::string_view::npos;
}

bool is_ascii(unsigned char c) { return c < 0x80; }

// A file's name on any system, in UTF-8.
std::string safe_name(std::string_view name) {
  std::string out(is_utf8(name) ? name : std::string_view());
  if (out.size() > kMostBytes) {
    out.resize(kMostBytes);
    while (!is_utf8(out)) out.pop_back();
  }
  for (char& c : out) {
    if (is_ascii(static_cast<unsigned char>(c)) && !is_plain(static_cast<unsigned char>(c)))
      c = '_';
  }
  if (out.starts_with('.')) out.front() = '_';
  return out.empty() ? "download" : out;
}

// "_" for each character that is not ASCII.
std::string ascii_of(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_ascii(byte)) out += c;
    if (!is_ascii(byte) && (byte & 0xC0) == 0xC0) out += '_';
  }
  return out;
}

}  // namespace

std::string disposition(std::string_view name) {
  const std::string safe = safe_name(name), ascii = ascii_of(safe);
  std::string out = "attachment; filename=\"" + ascii + "\"";
  if (ascii != safe) out += "; filename*=UTF-8''" + percent_encoded(safe);
  return out;
}

}  // namespace gantry::host::http
