// tools/gantry/command.hpp: the interface of every command of `gantry`.
//
// A command is one file with one function `void declare_NAME(CLI::App& parent, Run& run)`. It adds
// its subcommand to `parent`; when the user chose it, it sets `run`, which is called after the
// whole command line was parsed. The options' values live in a shared struct that `run` keeps. Main
// thread.
#pragma once

#include <functional>
#include <string>

#include <gantry/status.hpp>

namespace CLI {
class App;
}  // namespace CLI

namespace gantry::cli {

// Exit codes. kFailed: the host refused, or a check found a fault. kUnusable: the command line or a
// file it names is wrong, or there is no host to ask.
inline constexpr int kDone = 0, kFailed = 1, kUnusable = 2;

// The chosen command; returns its exit code.
using Run = std::function<int()>;

// Prints "gantry: SENTENCE" to standard error and returns `code`. Where the command line has
// --json, a failure is the line {"error":{"code":ERROR_CODE,"message":SENTENCE}}; `error_code` is
// JSON text. The sentence need not be printable.
int complain(const std::string& sentence, int code, const std::string& error_code = "null");
inline int complain(const Status& status, int code) { return complain(status.message(), code); }

}  // namespace gantry::cli
