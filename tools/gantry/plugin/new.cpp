// gantry plugin new NAME
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <CLI/CLI.hpp>

#include "tools/gantry/plugin/plugin.hpp"
#include "tools/gantry/project/sdk.hpp"
#include "tools/gantry/project/templates.hpp"

namespace gantry::cli {
namespace {

namespace fs = std::filesystem;

struct NewOptions {
  std::string name, language = "cpp", directory;
};

Status write(const fs::path& file, const std::string& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  return out ? Status() : Status::failed("cannot write " + file.string());
}

Status make(const fs::path& directory, const NewOptions& options) {
  std::error_code error;
  if (fs::symlink_status(directory, error).type() != fs::file_type::not_found) {
    return Status::invalid(directory.string() +
                           " exists already; name another place with --dir DIR");
  }
  if (!fs::create_directories(directory, error)) {
    return Status::invalid("cannot make " + directory.string() + ": " + error.message());
  }
  for (const ProjectFile& file : project_files(options.language, options.name)) {
    if (Status status = write(directory / file.path, file.text); !status) return status;
  }
  return {};
}

void say_next(const fs::path& directory, const NewOptions& options) {
  const std::string where = directory.string(), prefix = sdk_prefix();
  const std::string found = prefix.empty() ? "" : " -DCMAKE_PREFIX_PATH=" + prefix;
  std::printf(
      "Made %s: a plugin with one tool, %s_greet, and its tests.\n\n"
      "  cd %s\n"
      "  cmake -B build%s && cmake --build build\n"
      "  ctest --test-dir build\n"
      "  gantry plugin load build/plugins/%s.so\n\n"
      "Or all of it, at once and on every change:\n\n"
      "  gantry dev %s\n",
      where.c_str(), identifier(options.name).c_str(), where.c_str(), found.c_str(),
      options.name.c_str(), where.c_str());
}

int make_new(const NewOptions& options) {
  if (Status status = check_name(options.name); !status) return complain(status, kUnusable);
  const fs::path directory = options.directory.empty() ? options.name : options.directory;
  if (Status status = make(directory, options); !status) return complain(status, kUnusable);
  say_next(directory, options);
  return kDone;
}

}  // namespace

void declare_plugin_new(CLI::App& plugin, Run& run) {
  auto options = std::make_shared<NewOptions>();
  CLI::App* command = plugin.add_subcommand(
      "new", "Make a project that builds NAME.so, with tests, in C, C++ or Rust");
  command->add_option("NAME", options->name, "The plugin, such as word-count")->required();
  command->add_option("--lang", options->language, "c, cpp or rust [cpp]")
      ->type_name("LANGUAGE")
      ->check(CLI::IsMember({"c", "cpp", "rust"}));
  command->add_option("--dir", options->directory, "The project's folder [NAME]")->type_name("DIR");
  command->callback([options, &run] { run = [options] { return make_new(*options); }; });
}

}  // namespace gantry::cli
