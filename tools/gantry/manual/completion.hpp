// tools/gantry/manual/completion.hpp: scripts with which shells complete the commands of a program.
//
// Each completes commands, flags, the values that a flag is restricted to, and paths. Pure
// functions.
#pragma once

#include <string>
#include <string_view>

#include "tools/gantry/command.hpp"
#include "tools/gantry/manual/syntax.hpp"

namespace gantry::cli {

std::string bash_completion(const Command& program);
std::string zsh_completion(const Command& program);
std::string fish_completion(const Command& program);

// `text` in single quotes, as one word of a shell's script; in fish, with a backslash before a
// quote.
std::string shell_word(std::string_view text);
std::string fish_word(std::string_view text);

// gantry completion
void declare_completion(CLI::App& app, Run& run);

}  // namespace gantry::cli
