#include <algorithm>
#include <array>

#include "tools/gantry/project/templates.hpp"

namespace gantry::cli {
namespace {

constexpr std::size_t kMaxName = 64;

// Names of targets that every CMake project has.
constexpr std::array<std::string_view, 9> kTargets{
    "all", "clean", "depend", "edit_cache", "help", "install", "package", "rebuild_cache", "test"};
// Names of the built-in plugins.
constexpr std::array<std::string_view, 11> kBuiltIns{
    "aggregate", "conformance", "data",  "discovery", "export", "gateway",
    "mutation",  "prompts",     "query", "schema",    "search"};

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool may_follow(char c) { return is_lower(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; }

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  for (;;) {
    const auto at = text.find(from);
    out += text.substr(0, at);
    if (at == std::string_view::npos) return out;
    out += to;
    text.remove_prefix(at + from.size());
  }
}

}  // namespace

std::string identifier(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

Status check_name(std::string_view name) {
  const std::string quoted = "'" + std::string(name) + "'";
  const bool shaped = !name.empty() && name.size() <= kMaxName && is_lower(name.front()) &&
                      std::all_of(name.begin(), name.end(), may_follow);
  if (!shaped) {
    return Status::invalid(quoted +
                           " cannot be a plugin's name: it begins with a lower-case letter and has "
                           "only lower-case letters, digits, '_' and '-', at most 64, such as "
                           "word-count");
  }
  if (std::find(kTargets.begin(), kTargets.end(), name) != kTargets.end()) {
    return Status::invalid(quoted + " is a target of every CMake build; choose another name");
  }
  if (std::find(kBuiltIns.begin(), kBuiltIns.end(), name) != kBuiltIns.end()) {
    return Status::invalid(quoted + " is a plugin that comes with gantryd; choose another name");
  }
  return {};
}

std::vector<ProjectFile> project_files(std::string_view language, std::string_view name) {
  const std::string own = "hello-" + std::string(language);
  std::vector<ProjectFile> out;
  for (const TemplateFile& file : template_files()) {
    if (file.language != language) continue;
    out.push_back({std::string(file.path),
                   replaced(replaced(file.text, own, name), identifier(own), identifier(name))});
  }
  return out;
}

}  // namespace gantry::cli
