// gantry_package_files DIR MANIFEST…: writes what packages install beside programs and plugins,
// made from the programs' own parsers and from the configuration's schema: manual pages,
// completions, and gantry.json with every key. A MANIFEST is manifest.json of a built-in plugin.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <gantry/abi/version.h>

#include "host/config/flags.hpp"
#include "host/config/read.hpp"
#include "tools/gantry/manual/completion.hpp"
#include "tools/gantry/manual/man_page.hpp"
#include "tools/gantry/run.hpp"
#include "tools/packaging/config_sample.hpp"

namespace gantry::packaging {
namespace {

namespace fs = std::filesystem;

Status write_file(const fs::path& file, const std::string& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  return out ? Status() : Status::failed("cannot write " + file.string());
}

Status write_pages(const fs::path& folder, const cli::Command& command,
                   const cli::Command* parent) {
  const fs::path file = folder / (cli::man_page_name(command) + ".1");
  if (Status good = write_file(file, cli::man_page(command, parent, GANTRY_SDK_VERSION)); !good)
    return good;
  for (const cli::Command& below : command.commands) {
    if (Status good = write_pages(folder, below, &command); !good) return good;
  }
  return {};
}

Status write_program(const fs::path& folder, const cli::Command& program) {
  const std::string name = program.words;
  const fs::path completion = folder / "completion";
  if (Status good = write_pages(folder / "man", program, nullptr); !good) return good;
  if (Status good = write_file(completion / "bash" / name, bash_completion(program)); !good)
    return good;
  if (Status good = write_file(completion / "zsh" / ("_" + name), zsh_completion(program)); !good)
    return good;
  return write_file(completion / "fish" / (name + ".fish"), fish_completion(program));
}

Result<std::vector<PluginSchema>> plugin_schemas(int count, char** files) {
  std::vector<PluginSchema> out;
  for (int i = 0; i < count; ++i) {
    std::ifstream in(files[i], std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    rapidjson::Document manifest;
    manifest.Parse(text.data(), text.size());
    if (manifest.HasParseError() || !manifest.IsObject() || !manifest.HasMember("name"))
      return Status::invalid(std::string(files[i]) + " is no manifest");
    if (!manifest.HasMember("config")) continue;
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    manifest["config"].Accept(writer);
    out.push_back({manifest["name"].GetString(), buffer.GetString()});
  }
  return out;
}

Status write_config(const fs::path& file, const std::vector<PluginSchema>& plugins) {
  host::Settings settings;
  settings.plugins["NAME"];
  const auto text = config_sample(host::config_schema(), host::print_settings(settings), plugins);
  return text ? write_file(file, *text) : text.status();
}

Status write_all(const fs::path& folder, int count, char** manifests) {
  const auto plugins = plugin_schemas(count, manifests);
  if (!plugins) return plugins.status();
  if (Status good = write_config(folder / "gantry.json", *plugins); !good) return good;
  Status good;
  cli::with_commands(
      [&](const CLI::App& app) { good = write_program(folder, cli::syntax_of(app)); });
  if (!good) return good;
  host::with_flags(GANTRY_SDK_VERSION, host::builtin_plugin_keys(),
                   [&](const CLI::App& app) { good = write_program(folder, cli::syntax_of(app)); });
  return good;
}

}  // namespace
}  // namespace gantry::packaging

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: gantry_package_files DIR MANIFEST…\n", stderr);
    return 2;
  }
  const gantry::Status good = gantry::packaging::write_all(argv[1], argc - 2, argv + 2);
  if (good) return 0;
  std::fprintf(stderr, "gantry_package_files: %s\n", good.message().c_str());
  return 1;
}
