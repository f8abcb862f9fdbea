// The script for bash: one function, which finds the command on the line and offers what it takes.
#include <algorithm>

#include "tools/gantry/manual/completion.hpp"

namespace gantry::cli {
namespace {

// The shell's pattern for any of `words` after the command: 'gantry call --db'|'gantry call --key'.
std::string bash_patterns(const Command& command, const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) {
    out += (out.empty() ? "" : "|") + shell_word(command.words + " " + word);
  }
  return out;
}

std::string bash_joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

// How the values of a flag are completed; empty: not at all.
std::string bash_values(const Flag& flag) {
  if (!flag.choices.empty()) {
    return "COMPREPLY=($(compgen -W " + shell_word(bash_joined(flag.choices)) + " -- \"$cur\"))";
  }
  if (takes_directory(flag)) return "COMPREPLY=($(compgen -d -- \"$cur\"))";
  if (takes_tool(flag)) {
    return std::string("COMPREPLY=($(compgen -W \"$(") + kToolNames + ")\" -- \"$cur\"))";
  }
  if (takes_file(flag)) return "COMPREPLY=($(compgen -f -- \"$cur\"))";
  return {};
}

std::string bash_below(const Command& command) {
  std::vector<std::string> words;
  for (const Command& below : command.commands) words.push_back(last_word(below));
  return bash_patterns(command, words);
}

// The words that lead from a command to the next, and the flags whose value is the next word.
std::string bash_walk(const std::vector<const Command*>& commands) {
  std::string out = "    case \"$path $word\" in\n";
  for (const Command* command : commands) {
    if (const auto below = bash_below(*command); !below.empty())
      out += "      " + below + ") path+=\" $word\" ;;\n";
    std::vector<std::string> valued;
    for (const Flag& flag : command->flags) {
      if (!flag.type.empty()) valued.insert(valued.end(), flag.names.begin(), flag.names.end());
    }
    if (!valued.empty()) out += "      " + bash_patterns(*command, valued) + ") ((++i)) ;;\n";
  }
  return out + "    esac\n";
}

std::string bash_after_flag(const std::vector<const Command*>& commands) {
  std::string out = "  case \"$path $prev\" in\n";
  for (const Command* command : commands) {
    for (const Flag& flag : command->flags) {
      if (flag.type.empty()) continue;
      const std::string values = bash_values(flag);
      out += "    " + bash_patterns(*command, flag.names) + ") " +
             (values.empty() ? "" : values + "; ") + "return ;;\n";
    }
  }
  return out + "  esac\n";
}

std::string bash_after_command(const std::vector<const Command*>& commands) {
  std::string out = "  case $path in\n";
  for (const Command* command : commands) {
    std::vector<std::string> flags, words;
    for (const Flag& flag : command->flags)
      flags.insert(flags.end(), flag.names.begin(), flag.names.end());
    for (const Command& below : command->commands) words.push_back(last_word(below));
    const auto& positionals = command->positionals;
    const bool paths = std::any_of(positionals.begin(), positionals.end(), [](const Flag& each) {
      return takes_file(each) || takes_directory(each);
    });
    const bool tools = std::any_of(positionals.begin(), positionals.end(), takes_tool);
    for (const Flag& each : positionals)
      words.insert(words.end(), each.choices.begin(), each.choices.end());
    out += "    " + shell_word(command->words) + ") flags=" + shell_word(bash_joined(flags)) +
           " words=" + shell_word(bash_joined(words)) + (paths ? " paths=1" : "") +
           (tools ? std::string("; words+=\" $(") + kToolNames + ")\"" : "") + " ;;\n";
  }
  return out + "  esac\n";
}

}  // namespace

std::string bash_completion(const Command& program) {
  const auto commands = all_commands(program);
  std::string name = program.words;
  std::replace(name.begin(), name.end(), '-', '_');
  return "# bash completion for " + program.words + "\n_" + name +
         "() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  local path=" +
         shell_word(program.words) +
         " flags='' words='' paths='' word i\n"
         "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
         "    word=${COMP_WORDS[i]}\n" +
         bash_walk(commands) + "  done\n  COMPREPLY=()\n" + bash_after_flag(commands) +
         bash_after_command(commands) +
         "  [[ $cur != -* ]] || words=$flags\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "  [[ -z $paths || $cur == -* ]] || COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
         "}\n"
         "complete -o filenames -F _" +
         name + " " + program.words + "\n";
}

}  // namespace gantry::cli
