#include "tools/gantry/text/color.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include <CLI/CLI.hpp>

namespace gantry::cli {
namespace {

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool is_dumb() {
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) == "dumb";
}

const char* code_of(Tint tint) {
  switch (tint) {
    case Tint::dim:
      return "\033[2m";
    case Tint::red:
      return "\033[31m";
    case Tint::green:
      return "\033[32m";
    case Tint::yellow:
      return "\033[33m";
    case Tint::none:
      break;
  }
  return "";
}

}  // namespace

void Color::declare(CLI::App& command, Color& color) {
  command.add_option("--color", color.when_, "Colours [auto: on a terminal, without $NO_COLOR]")
      ->type_name("WHEN")
      ->check(CLI::IsMember({"auto", "always", "never"}));
}

bool Color::is_wanted(int fd) const {
  if (when_ != "auto") return when_ == "always";
  return ::isatty(fd) == 1 && !is_set("NO_COLOR") && !is_dumb();
}

std::string Color::paint(Tint tint, const std::string& text, int fd) const {
  return tint == Tint::none || !is_wanted(fd) ? text : code_of(tint) + text + "\033[0m";
}

}  // namespace gantry::cli
