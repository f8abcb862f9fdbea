#include "tools/gantry/manual/man_page.hpp"

#include <algorithm>
#include <sstream>

namespace gantry::cli {
namespace {

// Text as roff prints it: no escape, no request at the beginning of a line, dashes as they are
// typed.
std::string roff(std::string_view text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    begins = c == '\n';
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string slanted(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

std::string man_value(const Flag& flag) {
  std::string out = slanted(flag.type);
  if (flag.repeated) out += "…";
  return out;
}

std::string man_flag(const Flag& flag) {
  std::string out;
  for (const auto& name : flag.names) out += (out.empty() ? "" : ", ") + bold(name);
  return flag.type.empty() ? out : out + " " + man_value(flag);
}

std::string man_positional(const Flag& flag) {
  const std::string text = slanted(flag.names.front()) + (flag.repeated ? "…" : "");
  return flag.required ? text : "[" + text + "]";
}

std::string man_item(const std::string& head, const Flag& flag) {
  std::string out = ".TP\n" + head + "\n" + roff(flag.help);
  for (std::size_t i = 0; i < flag.choices.size(); ++i) {
    out += (i == 0 ? "\n.br\nOne of " : ", ") + bold(flag.choices[i]);
  }
  return out + "\n";
}

std::string man_synopsis(const Command& command) {
  std::string out = ".SH SYNOPSIS\n" + bold(command.words);
  if (!command.flags.empty()) out += " [" + slanted("OPTION") + "]…";
  for (const Flag& each : command.positionals) out += " " + man_positional(each);
  if (!command.commands.empty()) out += " " + slanted("COMMAND");
  return out + "\n";
}

// The flags in their groups, in the order of the parser.
std::string man_options(const Command& command) {
  std::vector<std::string> groups;
  for (const Flag& flag : command.flags) {
    if (std::find(groups.begin(), groups.end(), flag.group) == groups.end())
      groups.push_back(flag.group);
  }
  std::string out;
  if (!groups.empty()) out += ".SH OPTIONS\n";
  for (const auto& group : groups) {
    if (group != "Options") out += ".SS " + roff(group) + "\n";
    for (const Flag& flag : command.flags) {
      if (flag.group == group) out += man_item(man_flag(flag), flag);
    }
  }
  return out;
}

std::string man_arguments(const Command& command) {
  std::string out;
  for (const Flag& each : command.positionals) {
    if (out.empty()) out = ".SH ARGUMENTS\n";
    out += man_item(man_positional(each), each);
  }
  return out;
}

std::string man_commands(const Command& command) {
  std::string out;
  for (const Command& below : command.commands) {
    if (out.empty()) out = ".SH COMMANDS\n";
    out += ".TP\n" + bold(below.words) + "\n" + roff(below.help) + "\n.br\nSee " +
           bold(man_page_name(below)) + "(1).\n";
  }
  return out;
}

// The notes: lines after "Try:" are examples, which keep their breaks.
std::string man_notes(const Command& command) {
  constexpr std::string_view kTry = "Try:";
  std::istringstream lines(command.notes);
  std::string text, examples, line;
  bool is_example = false;
  while (std::getline(lines, line)) {
    const bool begins = line.starts_with(kTry);
    if (begins) {
      is_example = true;
      line = line.substr(kTry.size());
    }
    const auto first = line.find_first_not_of(' ');
    if (is_example) {
      if (first != line.npos) examples += roff(line.substr(first)) + "\n";
    } else {
      text += first == line.npos ? ".PP\n" : roff(line) + "\n";
      if (line.ends_with('.')) text += ".br\n";  // a sentence that ends its line ends it here too
    }
  }
  std::string out;
  if (text.find_first_not_of(".P\n") != text.npos) out += ".SH NOTES\n" + text;
  if (!examples.empty()) out += ".SH EXAMPLES\n.nf\n" + examples + ".fi\n";
  return out;
}

std::string man_see_also(const Command& command, const Command* parent) {
  std::string out;
  const auto add = [&out](const std::string& page) {
    out += (out.empty() ? ".SH SEE ALSO\n" : ",\n") + bold(page) + "(1)";
  };
  if (parent != nullptr) add(man_page_name(*parent));
  for (const Command& below : command.commands) add(man_page_name(below));
  if (parent == nullptr) add(command.words == "gantryd" ? "gantry" : "gantryd");
  return out + "\n";
}

}  // namespace

std::string man_page_name(const Command& command) {
  std::string out = command.words;
  std::replace(out.begin(), out.end(), ' ', '-');
  return out;
}

std::string man_page(const Command& command, const Command* parent, const std::string& version) {
  std::string title = man_page_name(command);
  std::transform(title.begin(), title.end(), title.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return ".TH " + roff(title) + " 1 \"\" \"Gantry " + roff(version) + "\" \"Gantry\"\n.SH NAME\n" +
         roff(man_page_name(command)) + " \\- " + roff(command.help) + "\n" +
         man_synopsis(command) + man_commands(command) + man_arguments(command) +
         man_options(command) + man_notes(command) + man_see_also(command, parent);
}

}  // namespace gantry::cli
