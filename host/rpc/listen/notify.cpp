#include "host/rpc/listen/notify.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "host/base/json.hpp"
#include "host/rpc/message/envelope.hpp"
#include "host/rpc/message/era.hpp"
#include "host/rpc/message/log_levels.hpp"

namespace gantry::host::rpc {
namespace {

void append_number(std::string& out, double value) {
  if (!std::isfinite(value)) value = 0;
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  out.append(text, end);
}

}  // namespace

std::string progress_message(std::string_view token, double done, double total,
                             std::string_view note, std::string_view revision,
                             std::string_view meta) {
  std::string out = notification_head("notifications/progress");
  append_json_member(out, "params", "{");
  append_json_member(out, "progressToken", token);
  append_name(out, "progress");
  append_number(out, done);
  if (total > 0) {
    append_name(out, "total");
    append_number(out, total);
  }
  if (!note.empty() && Features(revision).progress_message()) {
    append_text_member(out, "message", note);
  }
  if (!meta.empty()) append_json_member(out, "_meta", meta);
  out += "}}";
  return out;
}

std::string log_message(int level, std::string_view logger, std::string_view text) {
  const auto known = static_cast<std::size_t>(std::clamp(level, 0, 7));
  std::string out = notification_head("notifications/message");
  append_json_member(out, "params", "{");
  append_text_member(out, "level", kLevels[known]);
  if (!logger.empty()) append_text_member(out, "logger", logger);
  out += ",\"data\":";
  append_json_string(out, text);
  out += "}}";
  return out;
}

}  // namespace gantry::host::rpc
