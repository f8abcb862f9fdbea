#include "tools/gantry/mcp/progress_line.hpp"

#include <unistd.h>

#include <cstdio>

#include <rapidjson/document.h>

#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

std::string number_in(const rapidjson::Value& params, const char* name) {
  const auto found = params.FindMember(name);
  return found == params.MemberEnd() ? "" : compact(found->value);
}

}  // namespace

ProgressLine::ProgressLine() : is_terminal_(::isatty(2) == 1) {}

std::string waiting_text(const rapidjson::Value& params) {
  const bool waits = find_member(member(params, "_meta"), "gantry/approval") != nullptr;
  return waits ? text_at(params, "message") : std::string();
}

void ProgressLine::show(const rapidjson::Value& params) {
  if (const std::string text = waiting_text(params); !text.empty()) return show_line(text);
  if (!is_terminal_ || !params.IsObject()) return;
  std::string line = number_in(params, "progress");
  if (const std::string total = number_in(params, "total"); !total.empty()) line += "/" + total;
  line += " " + printable(text_at(params, "message"));
  std::fprintf(stderr, "\r\033[K%.100s", line.c_str());
  is_shown_ = true;
}

void ProgressLine::show_line(const std::string& text) {
  clear();
  std::fprintf(stderr, "%s\n", printable(text).c_str());
}

void ProgressLine::clear() {
  if (is_shown_) std::fputs("\r\033[K", stderr);
  is_shown_ = false;
}

}  // namespace gantry::cli
