#include "host/observe/log.hpp"

#include <array>

#include <spdlog/logger.h>

#include "host/base/json.hpp"
#include "host/observe/field_text.hpp"
#include "host/observe/line_formatter.hpp"
#include "host/observe/sink.hpp"

namespace gantry::host {
namespace {

constexpr std::array<std::string_view, 6> kNames = {"trace", "debug", "info",
                                                    "warn",  "error", "off"};

spdlog::level::level_enum to_spdlog(Level level) {
  constexpr spdlog::level::level_enum kLevels[] = {spdlog::level::trace, spdlog::level::debug,
                                                   spdlog::level::info,  spdlog::level::warn,
                                                   spdlog::level::err,   spdlog::level::off};
  return kLevels[static_cast<int>(level)];
}

bool is_plain(std::string_view text) {
  if (text.empty()) return false;
  for (const char c : text) {
    if (c <= ' ' || c == '"' || c == '\\' || c == '=' || c == 127) return false;
  }
  return true;
}

// In text lines, quotes only values that would be ambiguous.
void append_readable(std::string& out, const Field& field) {
  if (field.kind == Field::Kind::text && is_plain(field.text)) {
    out += field.text;
  } else {
    append_value(out, field);
  }
}

void append_text_line(std::string& out, std::string_view what, std::span<const Field> fields) {
  // Control characters become blanks, so that one record stays one line.
  for (const char c : what) out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  for (const Field& field : fields) {
    out += ' ';
    out += field.key;
    out += '=';
    append_readable(out, field);
  }
}

void append_json_line(std::string& out, std::string_view what, std::span<const Field> fields) {
  out += "\"message\":";
  append_json_string(out, what);
  append_members(out, fields);
}

}  // namespace

std::optional<Level> level_from(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Level>(i);
  }
  return std::nullopt;
}

struct Log::State {
  explicit State(const LogOptions& options)
      : json(options.json),
        level(options.level),
        logger("gantry", std::make_shared<DescriptorSink>(options.fd)) {
    logger.set_level(spdlog::level::trace);
    logger.set_formatter(std::make_unique<LineFormatter>(json));
  }
  const bool json;
  const Level level;
  spdlog::logger logger;
};

Log::Log(const LogOptions& options) : state_(std::make_unique<State>(options)) {}
Log::~Log() = default;

bool Log::wants(Level level) const { return level != Level::off && level >= state_->level; }

bool Log::records() const { return state_->level <= Level::warn; }

void Log::write(Level level, std::string_view what, std::span<const Field> fields) noexcept {
  if (wants(level)) put(level, what, fields);
}

void Log::record(std::string_view what, std::span<const Field> fields) noexcept {
  if (records()) put(Level::info, what, fields);
}

void Log::put(Level level, std::string_view what, std::span<const Field> fields) noexcept {
  try {
    std::string line;
    line.reserve(256);
    state_->json ? append_json_line(line, what, fields) : append_text_line(line, what, fields);
    state_->logger.log(to_spdlog(level), spdlog::string_view_t(line.data(), line.size()));
  } catch (...) {
    // Without memory there is no line either.
  }
}

void Log::flush() noexcept {
  for (auto& sink : state_->logger.sinks()) sink->flush();
}

}  // namespace gantry::host
