// tools/gantry/project/templates.hpp: the files of sdk/template, for new projects.
//
// Values; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::cli {

struct TemplateFile {
  std::string_view language;  // "c", "cpp" or "rust"
  std::string_view path;      // within the project
  std::string_view text;
};

std::span<const TemplateFile> template_files();

struct ProjectFile {
  std::string path, text;
};

// The files of a plugin called `name`. Pure.
std::vector<ProjectFile> project_files(std::string_view language, std::string_view name);

// OK, or the reason why a project cannot have this name. Pure.
Status check_name(std::string_view name);

// "word-count" as an identifier: "word_count".
std::string identifier(std::string_view name);

}  // namespace gantry::cli
