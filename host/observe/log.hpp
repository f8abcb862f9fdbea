// host/observe/log.hpp: the structured log.
//
// A line is a level, a constant sentence, and fields. It goes to standard error, as text or as one
// JSON object. A dedicated thread writes, so that no caller waits for a slow terminal or pipe. When
// 4 MiB wait, further lines are dropped and their number is logged later. Lines are written out
// before the Log is destroyed and before flush() returns. Any thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gantry::host {

enum class Level { trace, debug, info, warn, error, off };

std::optional<Level> level_from(std::string_view name);

// A fact of a line. Numbers and booleans keep their type; `raw` is JSON text.
struct Field {
  enum class Kind { text, integer, real, boolean, raw };

  Field(std::string_view k, std::string_view v) : key(k), text(v) {}
  Field(std::string_view k, const char* v) : key(k), text(v) {}
  Field(std::string_view k, const std::string& v) : key(k), text(v) {}
  Field(std::string_view k, std::int64_t v) : key(k), kind(Kind::integer), integer(v) {}
  Field(std::string_view k, std::uint64_t v) : Field(k, static_cast<std::int64_t>(v)) {}
  Field(std::string_view k, int v) : Field(k, static_cast<std::int64_t>(v)) {}
  Field(std::string_view k, double v) : key(k), kind(Kind::real), real(v) {}
  Field(std::string_view k, bool v) : key(k), kind(Kind::boolean), integer(v) {}
  static Field json(std::string_view k, std::string_view raw) {
    Field field(k, raw);
    field.kind = Kind::raw;
    return field;
  }

  std::string_view key;
  Kind kind = Kind::text;
  std::string_view text;
  std::int64_t integer = 0;
  double real = 0;
};

struct LogOptions {
  Level level = Level::info;
  bool json = false;
  int fd = 2;
};

class Log {
 public:
  explicit Log(const LogOptions& options);
  ~Log();

  bool wants(Level level) const;
  // True if record() writes: at level warn and below.
  bool records() const;
  void write(Level level, std::string_view what, std::span<const Field> fields) noexcept;
  void write(Level level, std::string_view what,
             std::initializer_list<Field> fields = {}) noexcept {
    write(level, what, std::span(fields.begin(), fields.size()));
  }
  // A line at info level that is written up to level warn: for records.
  void record(std::string_view what, std::span<const Field> fields) noexcept;
  // Waits until all earlier lines have been written out.
  void flush() noexcept;

 private:
  void put(Level level, std::string_view what, std::span<const Field> fields) noexcept;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gantry::host
