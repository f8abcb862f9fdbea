// gantry completion bash|zsh|fish
#include "tools/gantry/manual/completion.hpp"

#include <cstdio>

#include <CLI/CLI.hpp>

namespace gantry::cli {
namespace {

const CLI::App& parser_root(const CLI::App& app) {
  return app.get_parent() == nullptr ? app : parser_root(*app.get_parent());
}

int print_script(const CLI::App& app, const std::string& shell) {
  const Command program = syntax_of(parser_root(app));
  const std::string text = shell == "bash"  ? bash_completion(program)
                           : shell == "zsh" ? zsh_completion(program)
                                            : fish_completion(program);
  std::fputs(text.c_str(), stdout);
  return kDone;
}

}  // namespace

std::string shell_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

void declare_completion(CLI::App& app, Run& run) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("completion", "Print a script with which a shell completes gantry");
  command->add_option("SHELL", *shell, "The shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer(
      "The Debian package installs them. Otherwise, for one user:\n\n"
      "Try:  source <(gantry completion bash)\n"
      "      gantry completion zsh > ~/.zfunc/_gantry\n"
      "      gantry completion fish > ~/.config/fish/completions/gantry.fish");
  command->callback(
      [&app, shell, &run] { run = [&app, shell] { return print_script(app, *shell); }; });
}

}  // namespace gantry::cli
