#include "tools/gantry/manual/syntax.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

namespace gantry::cli {
namespace {

// CLI11 writes a set of values as "TYPE:{one,two}".
std::vector<std::string> choices_in(const std::string& type) {
  const auto begin = type.find('{');
  const auto end = type.rfind('}');
  if (begin == type.npos || end == type.npos || end < begin) return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

Flag flag_of(const CLI::Option& option) {
  Flag out;
  const bool is_positional = option.get_positional();
  if (is_positional) out.names.push_back(option.get_name(true, false));
  if (!is_positional || option.nonpositional()) {
    for (const auto& name : option.get_snames()) out.names.push_back("-" + name);
    for (const auto& name : option.get_lnames()) out.names.push_back("--" + name);
  }
  if (option.get_items_expected_max() > 0) {
    const std::string type = option.get_type_name();
    out.type = type.substr(0, type.find(':'));
    out.choices = choices_in(type);
  }
  out.help = option.get_description();
  out.group = option.get_group();
  out.required = option.get_required();
  out.repeated = option.get_items_expected_max() > 1;
  return out;
}

// A positional that a flag is long for stands among the positionals, and its flag among the flags.
void add_option(Command& command, const CLI::Option& option) {
  Flag flag = flag_of(option);
  if (flag.group.empty() || flag.names.empty()) return;
  if (option.get_positional()) {
    Flag positional = flag;
    positional.names.resize(1);
    if (positional.type.empty() || positional.type == "TEXT") positional.type = flag.names.front();
    command.positionals.push_back(std::move(positional));
    flag.names.erase(flag.names.begin());
  }
  if (!flag.names.empty()) command.flags.push_back(std::move(flag));
}

std::string typed_words(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : typed_words(*parent) + " " + app.get_name();
}

}  // namespace

Command syntax_of(const CLI::App& app) {
  Command out;
  out.words = typed_words(app);
  out.help = app.get_description();
  out.notes = app.get_footer();
  for (const CLI::Option* option : app.get_options()) add_option(out, *option);
  const auto below = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* command : below) {
    if (!command->get_group().empty() && !command->get_name().empty()) {
      out.commands.push_back(syntax_of(*command));
    }
  }
  return out;
}

std::vector<const Command*> all_commands(const Command& command) {
  std::vector<const Command*> out{&command};
  for (const Command& below : command.commands) {
    const auto more = all_commands(below);
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

std::string last_word(const Command& command) {
  return command.words.substr(command.words.rfind(' ') + 1);
}

bool takes_file(const Flag& flag) { return flag.type == "FILE" || flag.type == "PATH"; }

bool takes_directory(const Flag& flag) { return flag.type == "DIR"; }

bool takes_tool(const Flag& flag) {
  return flag.type == "TOOL" || (!flag.names.empty() && flag.names.front() == "TOOL");
}

}  // namespace gantry::cli
