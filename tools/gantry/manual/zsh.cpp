// The script for zsh: a function for each command, which hands the rest of the line to the next.
#include <algorithm>

#include "tools/gantry/manual/completion.hpp"

namespace gantry::cli {
namespace {

std::string zsh_function(const Command& command) {
  std::string out = "_" + command.words;
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == ' ' || c == '-'; }, '_');
  return out;
}

// A part of a specification of _arguments: in it ':' ends the part, and brackets the help.
std::string zsh_part(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string zsh_values(const Flag& flag) {
  if (!flag.choices.empty()) {
    std::string out = "(";
    for (const auto& choice : flag.choices) out += (out.size() == 1 ? "" : " ") + zsh_part(choice);
    return out + ")";
  }
  if (takes_directory(flag)) return "_files -/";
  if (takes_tool(flag)) return std::string("{compadd -- ${(f)\"$(") + kToolNames + ")\"}}";
  return takes_file(flag) ? "_files" : " ";
}

std::string zsh_flags(const Command& command) {
  std::string out;
  for (const Flag& flag : command.flags) {
    for (const auto& name : flag.names) {
      std::string spec = (flag.repeated ? "*" : "") + name + "[" + zsh_part(flag.help) + "]";
      if (!flag.type.empty()) spec += ":" + zsh_part(flag.type) + ":" + zsh_values(flag);
      out += " \\\n    " + shell_word(spec);
    }
  }
  return out;
}

std::string zsh_positionals(const Command& command) {
  std::string out;
  for (const Flag& each : command.positionals) {
    const std::string place = each.repeated ? "*:" : (each.required ? ":" : "::");
    out += " \\\n    " + shell_word(place + zsh_part(each.names.front()) + ":" + zsh_values(each));
  }
  return out;
}

std::string zsh_leaf(const Command& command) {
  return zsh_function(command) + "() {\n  _arguments" + zsh_flags(command) +
         zsh_positionals(command) + "\n}\n";
}

std::string zsh_branch(const Command& command) {
  std::string words, next;
  for (const Command& below : command.commands) {
    words += "\n        " + shell_word(zsh_part(last_word(below)) + ":" + zsh_part(below.help));
    next += "        " + last_word(below) + ") " + zsh_function(below) + " ;;\n";
  }
  return zsh_function(command) +
         "() {\n"
         "  local curcontext=$curcontext state line\n"
         "  local -a commands\n"
         "  _arguments -C" +
         zsh_flags(command) +
         " \\\n    '1: :->command' '*:: :->rest'\n"
         "  case $state in\n"
         "    command)\n"
         "      commands=(" +
         words +
         "\n      )\n"
         "      _describe -t commands command commands ;;\n"
         "    rest)\n"
         "      case $line[1] in\n" +
         next +
         "      esac ;;\n"
         "  esac\n"
         "}\n";
}

}  // namespace

std::string zsh_completion(const Command& program) {
  std::string out = "#compdef " + program.words + "\n";
  for (const Command* command : all_commands(program)) {
    out += command->commands.empty() ? zsh_leaf(*command) : zsh_branch(*command);
  }
  // Loaded by the completion system it is run, sourced it is declared.
  return out + "if [[ $funcstack[1] == " + zsh_function(program) + " ]]; then\n  " +
         zsh_function(program) + " \"$@\"\nelse\n  compdef " + zsh_function(program) + " " +
         program.words + "\nfi\n";
}

}  // namespace gantry::cli
