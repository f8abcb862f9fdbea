// Manual pages and completions from a parser.
#include "tools/gantry/manual/man_page.hpp"

#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include "tools/gantry/manual/completion.hpp"
#include "tools/gantry/run.hpp"

namespace gantry::cli {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A program with one command `go`.
Command program() {
  CLI::App app("does things", "prog");
  CLI::App* go = app.add_subcommand("go", "it's off");
  std::string file, speed, place;
  bool dry = false;
  go->add_option("--file,-f", file, "a \\ file")->type_name("FILE")->required();
  go->add_option("--speed", speed, "how [fast]: really")->check(CLI::IsMember({"slow", "fast"}));
  go->add_flag("--dry", dry, "no change");
  go->add_option("--secret", place, "hidden")->group("");
  go->add_option("PLACE", place, ".a dot")->required();
  go->footer("One note.\n\nTry:  prog go --dry\n      prog go 'x'");
  return syntax_of(app);
}

TEST(Manual, ReadsNamesTypesAndChoicesOfTheParser) {
  const Command all = program();
  ASSERT_EQ(all.commands.size(), 1U);
  const Command& go = all.commands[0];
  EXPECT_EQ(go.words, "prog go");
  EXPECT_EQ(last_word(go), "go");
  ASSERT_EQ(go.flags.size(), 4U);  // with --help, without the hidden one
  EXPECT_EQ(go.flags[1].names, (std::vector<std::string>{"-f", "--file"}));
  EXPECT_TRUE(takes_file(go.flags[1]));
  EXPECT_EQ(go.flags[2].choices.size(), 2U);
  EXPECT_EQ(go.flags[3].type, "");
  ASSERT_EQ(go.positionals.size(), 1U);
  EXPECT_TRUE(go.positionals[0].required);
}

TEST(Manual, APageEscapesRoffControls) {
  const Command all = program();
  const std::string page = man_page(all.commands[0], &all, "1.2.3");
  EXPECT_TRUE(has(page, ".TH PROG\\-GO 1 \"\" \"Gantry 1.2.3\""));
  EXPECT_TRUE(has(page, "prog\\-go \\- it's off\n"));
  EXPECT_TRUE(has(page, "\\fBprog go\\fR [\\fIOPTION\\fR]… \\fIPLACE\\fR\n"));
  EXPECT_TRUE(has(page, "\na \\e file\n"));
  EXPECT_TRUE(has(page, "\n\\&.a dot\n"));
  EXPECT_TRUE(has(page, ".SH NOTES\nOne note.\n"));
  EXPECT_TRUE(has(page, ".SH EXAMPLES\n.nf\nprog go \\-\\-dry\nprog go 'x'\n.fi\n"));
  EXPECT_TRUE(has(page, "\\fBprog\\fR(1)\n"));
  EXPECT_FALSE(has(page, "secret"));
}

TEST(Manual, AParentNamesThePagesBelow) {
  const Command all = program();
  EXPECT_TRUE(has(man_page(all, nullptr, "1"), "See \\fBprog\\-go\\fR(1)."));
}

TEST(Manual, ScriptsQuoteTheHelpTheyShow) {
  const Command all = program();
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(fish_word("it's \\"), "'it\\'s \\\\'");
  EXPECT_TRUE(has(zsh_completion(all), "'--speed[how \\[fast\\]\\: really]:"));
  EXPECT_TRUE(has(fish_completion(all), "-a go -d 'it\\'s off'"));
}

TEST(Manual, ScriptsOfferCommandsFlagsAndValues) {
  const Command all = program();
  const std::string bash = bash_completion(all);
  EXPECT_TRUE(has(bash, "'prog') flags='-h --help' words='go' ;;"));
  EXPECT_TRUE(has(bash, "'prog go --speed') COMPREPLY=($(compgen -W 'slow fast' -- \"$cur\"))"));
  EXPECT_TRUE(has(bash, "'prog go -f'|'prog go --file') COMPREPLY=($(compgen -f"));
  EXPECT_FALSE(has(bash, "secret"));
  EXPECT_TRUE(has(zsh_completion(all), "(slow fast)"));
  EXPECT_TRUE(has(fish_completion(all), "-l speed -r -x -a 'slow fast'"));
}

TEST(Manual, CoversEveryCommandOfGantry) {
  with_commands([](const CLI::App& app) {
    const Command all = syntax_of(app);
    EXPECT_GT(all.commands.size(), 8U);
    for (const Command* command : all_commands(all)) {
      EXPECT_FALSE(command->help.empty()) << command->words;
      EXPECT_TRUE(has(bash_completion(all), "'" + command->words + "')")) << command->words;
    }
  });
}

TEST(Completion, OffersTheToolsOfTheServerThatRuns) {
  CLI::App app("does things", "prog");
  std::string tool;
  app.add_subcommand("call", "calls")->add_option("TOOL", tool, "The tool");
  const Command all = syntax_of(app);
  for (const std::string& script :
       {bash_completion(all), zsh_completion(all), fish_completion(all)}) {
    EXPECT_TRUE(has(script, "gantry tools --names 2>/dev/null")) << script;
  }
  EXPECT_FALSE(has(bash_completion(program()), "gantry tools"));
}

}  // namespace
}  // namespace gantry::cli
