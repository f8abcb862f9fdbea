// tools/gantry/command.hpp: what every command of `gantry` is.
//
// A command is one file with one function `void declare_NAME(CLI::App& parent, Run& run)`: it adds
// its subcommand to `parent` and, when that was chosen, sets `run`, which is called once the whole
// command line was understood. Values its options write to live in a shared struct that `run`
// keeps. Main thread.
#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include <gantry/status.hpp>

namespace gantry::cli {

// Exit codes. kFailed: asked and refused, or tested and found wrong. kUnusable: the command line
// or a file it names is wrong, or there is no host to ask.
inline constexpr int kDone = 0, kFailed = 1, kUnusable = 2;

// What to do, with its exit code.
using Run = std::function<int()>;

// Says "gantry: SENTENCE" on standard error and returns `code`.
int complain(const std::string& sentence, int code);
inline int complain(const Status& status, int code) { return complain(status.message(), code); }

}  // namespace gantry::cli
