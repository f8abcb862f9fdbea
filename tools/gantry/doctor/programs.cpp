// Checks of programs: versions, the configuration, plugins.
#include <sstream>

#include <rapidjson/document.h>

#include <gantry/abi/version.h>

#include "tools/gantry/doctor/checks.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli::doctor {
namespace {

std::string without_break(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// The sentence of gantryd without its name.
std::string sentence_of(const std::string& line) {
  constexpr std::string_view kName = "gantryd: ";
  return line.starts_with(kName) ? line.substr(kName.size()) : line;
}

// "a b c" in words.
void report_loaded(const rapidjson::Value& record, Findings& out) {
  std::istringstream names(text_at(record, "plugins"));
  for (std::string name; names >> name;) {
    out.push_back({Verdict::ok, "plugin " + name, "loads and starts"});
  }
}

Finding refused(const rapidjson::Value& record) {
  const std::string name = text_at(record, "plugin"), file = text_at(record, "file");
  return {Verdict::fail, "plugin " + (name.empty() ? file : name),
          text_at(record, "reason") + (file.empty() ? "" : " (" + file + ")"),
          "replace or remove the file, or gantry plugin check " + file + " for its faults"};
}

// A log line of a plugin that is worth a line: a warning, or its facts such as the database.
void report_line(const rapidjson::Value& record, Findings& out) {
  const std::string level = text_at(record, "level"), plugin = text_at(record, "plugin");
  if (plugin.empty()) return;
  const bool is_fine = level == "info" || level == "debug" || level == "trace";
  out.push_back(
      {is_fine ? Verdict::ok : Verdict::warn, "plugin " + plugin, text_at(record, "message")});
}

Finding finding_of(const rapidjson::Value& state) {
  const std::string name = text_at(state, "name"), file = text_at(state, "file");
  const std::string what = text_at(state, "state"), reason = text_at(state, "reason");
  const std::string failure = text_at(state, "last_failure");
  const std::string title = "plugin " + (name.empty() ? file : name);
  if (what == "serving" && failure.empty()) {
    return {Verdict::ok, title,
            "serves, generation " + std::to_string(number_at(state, "generation"))};
  }
  if (what == "serving") {
    return {Verdict::warn, title, "serves, but its newest file does not load: " + failure,
            "correct the file; gantry plugin reload " + name};
  }
  if (what == "disabled") {
    return {Verdict::warn, title, "is disabled", "gantry plugin enable " + name};
  }
  return {Verdict::fail, title, what + (reason.empty() ? "" : ": " + reason),
          "gantry plugin info " + name};
}

}  // namespace

void check_versions(const LivingHost* host, const Stop& stop, Findings& out) {
  const std::string ours = GANTRY_SDK_VERSION;
  const std::string abi = std::to_string(GANTRY_ABI_MAJOR) + "." + std::to_string(GANTRY_ABI_MINOR);
  const auto asked = run_gantryd({}, {"--version"}, stop);
  if (!asked || asked->code != 0) {
    out.push_back({Verdict::fail, "versions",
                   "the gantryd beside this program does not run: " +
                       (asked ? without_break(asked->output) : asked.message()),
                   "install gantryd and gantry from the same package"});
    return;
  }
  const std::string theirs = without_break(asked->output);
  const std::string all = "gantry " + ours + ", " + theirs + ", plugin ABI " + abi;
  if (theirs != "gantryd " + ours) {
    out.push_back({Verdict::warn, "versions", all, "install both from the same package"});
  } else if (host != nullptr && host->version != ours) {
    out.push_back({Verdict::warn, "versions", all + ", but the host that runs is " + host->version,
                   "restart it to run the installed version"});
  } else {
    out.push_back({Verdict::ok, "versions", all});
  }
}

rapidjson::Document check_configuration(const Invocation& invocation, const Stop& stop,
                                        Findings& out) {
  const auto asked = run_gantryd(invocation, {"--print-config"}, stop);
  rapidjson::Document configuration;
  if (asked && asked->code == 0) {
    // Before it stands a line of standard error that names the open gates.
    const auto begin = asked->output.find('{');
    if (begin != std::string::npos) configuration = parsed(asked->output.substr(begin));
  }
  if (!configuration.IsObject()) {
    out.push_back({Verdict::fail, "configuration",
                   asked ? sentence_of(without_break(asked->output)) : asked.message(),
                   "correct the flag or the key; gantryd --help lists the flags"});
    configuration.SetNull();
    return configuration;
  }
  out.push_back({Verdict::ok, "configuration", "every flag and key is known and in its range"});
  return configuration;
}

void try_plugins(const Invocation& invocation, const Stop& stop, Findings& out) {
  const auto asked = run_gantryd(
      invocation, {"--check-config", "--log-format", "json", "--log-level", "info"}, stop);
  if (!asked) {
    out.push_back({Verdict::fail, "plugins", asked.message()});
    return;
  }
  bool is_explained = asked->code == 0;
  std::string said;
  std::istringstream lines(asked->output);
  for (std::string line; std::getline(lines, line);) {
    const auto record = parsed(line);
    if (!record.IsObject()) {
      said += (said.empty() ? "" : " ") + sentence_of(line);
    } else if (text_at(record, "message") == "plugins loaded") {
      report_loaded(record, out);
    } else if (text_at(record, "message") == "plugin refused") {
      out.push_back(refused(record));
      is_explained = true;
    } else {
      report_line(record, out);
    }
  }
  if (!is_explained) {
    out.push_back({Verdict::fail, "start", said, "gantryd does not start until this is corrected"});
  }
}

void check_plugins_of(const std::string& answer, Findings& out) {
  const auto document = parsed(answer);
  if (!member(document, "plugins").IsArray()) {
    out.push_back({Verdict::fail, "plugins", "the host does not list its plugins"});
    return;
  }
  for (const auto& state : document["plugins"].GetArray()) out.push_back(finding_of(state));
}

}  // namespace gantry::cli::doctor
