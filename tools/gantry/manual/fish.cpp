// The script for fish: a line for each word, with the command after which it may stand.
#include <algorithm>

#include "tools/gantry/manual/completion.hpp"

namespace gantry::cli {
namespace {

std::string fish_name(const Command& program) {
  std::string out = "__" + program.words + "_command";
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

std::string fish_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// "test (__gantry_command) = 'gantry plugin'", as one word.
std::string fish_after(const Command& program, const Command& command) {
  return fish_word("test (" + fish_name(program) + ") = \"" + command.words + "\"");
}

// The function that prints the command on the line.
std::string fish_finder(const Command& program) {
  std::string words, valued;
  for (const Command* command : all_commands(program)) {
    for (const Command& below : command->commands) words += " " + fish_word(below.words);
    for (const Flag& flag : command->flags) {
      if (flag.type.empty()) continue;
      for (const auto& name : flag.names) valued += " " + fish_word(command->words + " " + name);
    }
  }
  return "function " + fish_name(program) + "\n  set -l path " + fish_word(program.words) +
         "\n"
         "  set -l skip 0\n"
         "  for word in (commandline -opc)[2..-1]\n"
         "    if test $skip = 1\n"
         "      set skip 0\n"
         "    else if contains -- \"$path $word\"" +
         words +
         "\n"
         "      set path \"$path $word\"\n"
         "    else if contains -- \"$path $word\"" +
         valued +
         "\n"
         "      set skip 1\n"
         "    end\n"
         "  end\n"
         "  echo $path\n"
         "end\n";
}

std::string fish_values(const Flag& flag) {
  std::string words;
  for (const auto& choice : flag.choices) words += (words.empty() ? "" : " ") + choice;
  if (!words.empty()) return " -x -a " + fish_word(words);
  if (takes_directory(flag)) return " -a '(__fish_complete_directories)'";
  if (takes_tool(flag)) return " -a " + fish_word(std::string("(") + kToolNames + ")");
  return takes_file(flag) ? " -F" : "";
}

std::string fish_flag(const std::string& begin, const Flag& flag) {
  std::string out = begin;
  for (const auto& name : flag.names) {
    const bool is_long = name.starts_with("--");
    out += is_long ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!flag.type.empty()) out += " -r" + fish_values(flag);
  return out + " -d " + fish_word(fish_line(flag.help)) + "\n";
}

}  // namespace

std::string fish_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish_completion(const Command& program) {
  std::string out = "# fish completion for " + program.words + "\n" + fish_finder(program) +
                    "complete -c " + program.words + " -f\n";
  for (const Command* command : all_commands(program)) {
    const std::string begin =
        "complete -c " + program.words + " -n " + fish_after(program, *command);
    for (const Command& below : command->commands) {
      out += begin + " -a " + last_word(below) + " -d " + fish_word(fish_line(below.help)) + "\n";
    }
    for (const Flag& flag : command->flags) out += fish_flag(begin, flag);
    for (const Flag& each : command->positionals) {
      if (const auto values = fish_values(each); !values.empty()) out += begin + values + "\n";
    }
  }
  return out;
}

}  // namespace gantry::cli
