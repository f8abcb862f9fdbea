#include "tools/gantry/chat/trace.hpp"

#include <cstdio>

#include "tools/gantry/text/json.hpp"

namespace gantry::cli::chat {
namespace {

constexpr std::size_t kLines = 200;

bool is_shown(const std::string& name) {
  return name.starts_with("x-ratelimit-") || name.starts_with("anthropic-ratelimit-") ||
         name.starts_with("retry-after") || name == "request-id" || name == "x-request-id";
}

}  // namespace

void Trace::request(const std::string& url, long status, std::int64_t ms, std::size_t bytes,
                    const HttpHeaders& headers) {
  std::string line = "POST " + url + "  " + (status == 0 ? "failed" : std::to_string(status)) +
                     "  " + std::to_string(ms) + " ms  " + size_text(bytes);
  for (const auto& [name, value] : headers) {
    if (is_shown(name)) line += "\n  " + name + ": " + value;
  }
  add(std::move(line));
}

void Trace::call(const std::string& tool, std::int64_t ms, std::size_t bytes, bool is_error) {
  add("tool " + tool + "  " + std::to_string(ms) + " ms  " + size_text(bytes) +
      (is_error ? "  error" : ""));
}

std::string Trace::text() const {
  std::string out;
  for (const auto& line : lines_) out += line + "\n";
  return out.empty() ? "nothing was sent yet\n" : printable_lines(out);
}

void Trace::add(std::string line) {
  if (lines_.size() == kLines) lines_.pop_front();
  lines_.push_back(std::move(line));
}

std::string size_text(std::size_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + " B";
  char text[32];
  const double number = static_cast<double>(bytes);
  std::snprintf(text, sizeof text, bytes < 1'000'000 ? "%.1f KB" : "%.1f MB",
                bytes < 1'000'000 ? number / 1e3 : number / 1e6);
  return text;
}

}  // namespace gantry::cli::chat
