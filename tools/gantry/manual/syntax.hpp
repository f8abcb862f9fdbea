// tools/gantry/manual/syntax.hpp: the commands and flags of a program, read from its parser.
//
// Manual pages and completions are made from these values alone, so that they never differ from
// what the program takes. Values; any thread.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace gantry::cli {

struct Flag {
  std::vector<std::string> names;  // with their dashes, as -h and --help; of a positional: one word
  std::string type;                // FILE, DIR, NAME…; empty: it takes no value
  std::vector<std::string> choices;  // the only values it takes; empty: any
  std::string help, group;
  bool required = false, repeated = false;
};

struct Command {
  std::string words;  // the command as it is typed: "gantry plugin list"
  std::string help;   // one sentence
  std::string notes;  // text after the flags, with its line breaks
  std::vector<Flag> flags, positionals;
  std::vector<Command> commands;  // below it
};

// Hidden flags and commands are left out.
Command syntax_of(const CLI::App& app);

// `command`, then those below it, each before its own.
std::vector<const Command*> all_commands(const Command& command);

// The last word of the command.
std::string last_word(const Command& command);

// True when a value of the flag is the path of a file, or of a directory.
bool takes_file(const Flag& flag);
bool takes_directory(const Flag& flag);

// True when a value of it is the name of a tool: those of the server that runs are offered.
bool takes_tool(const Flag& flag);
// The command line that prints these names, a line each, and no error.
inline constexpr const char* kToolNames = "gantry tools --names 2>/dev/null";

}  // namespace gantry::cli
