#include "host/http/message.hpp"

#include <algorithm>

namespace gantry::host::http {
namespace {

// Memory of one text that a request leaves behind for the next one on its connection.
constexpr std::size_t kKept = 4 * 1024;

void empty(std::string& text) {
  if (text.capacity() > kKept) {
    std::string().swap(text);  // assigning an empty string would keep the memory
  } else {
    text.clear();
  }
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool same_name(std::string_view stored, std::string_view asked) {
  if (stored.size() != asked.size()) return false;
  return stored == asked || std::equal(stored.begin(), stored.end(), asked.begin(),
                                       [](char a, char b) { return a == lower(b); });
}

}  // namespace

std::string_view Request::path() const {
  auto all = target();
  return all.substr(0, all.find('?'));
}

std::string_view Request::query() const {
  auto all = target();
  auto mark = all.find('?');
  return mark == all.npos ? std::string_view() : all.substr(mark + 1);
}

std::string_view Request::parameter(std::string_view name) const {
  std::string_view rest = query();
  while (!rest.empty()) {
    const auto end = rest.find('&');
    const std::string_view part = rest.substr(0, end);
    if (part.starts_with(name) && part.substr(name.size()).starts_with('='))
      return part.substr(name.size() + 1);
    rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
  }
  return {};
}

std::optional<std::string_view> Request::header(std::string_view name) const {
  for (const auto& field : fields_) {
    if (same_name(text(field.name), name)) return text(field.value);
  }
  return std::nullopt;
}

Request::Span Request::keep(std::string_view bytes) {
  Span span{static_cast<std::uint32_t>(text_.size()), static_cast<std::uint32_t>(bytes.size())};
  text_.append(bytes);
  return span;
}

void Request::set_start(std::string_view method, std::string_view target, int http_minor) {
  method_ = keep(method);
  target_ = keep(target);
  minor_ = http_minor;
}

void Request::add_header(std::string_view name, std::string_view value) {
  Field field{keep(name), keep(value)};
  auto begin = text_.begin() + field.name.at;
  std::transform(begin, begin + field.name.size, begin, lower);
  fields_.push_back(field);
}

void Request::clear() {
  empty(text_);
  fields_.clear();
  method_ = target_ = {};
  minor_ = 1;
  empty(body);
}

}  // namespace gantry::host::http
