#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>

#include "model/model.hpp"

namespace gantry::data::model {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t kMostBytes = 1u << 20;

Result<std::string> read_file(const std::string& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error) return Status::invalid(file + ": cannot be read: " + error.message());
  if (size > kMostBytes) {
    return Status::invalid(file + ": has " + std::to_string(size) +
                           " bytes; the description of a class has at most 1048576");
  }
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) return Status::invalid(file + ": cannot be read");
  return text;
}

}  // namespace

Result<std::vector<std::string>> model_files(const std::string& directory) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename();
    std::error_code ignored;
    const bool is_file = !at->is_directory(ignored);
    if (is_file && name.ends_with(".json") && name.front() != '.') files.push_back(at->path());
  }
  if (error) {
    return Status::invalid("The model's directory " + directory +
                           " cannot be read: " + error.message());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Result<Model> read_model(const std::string& directory, ReadOptions options) {
  auto files = model_files(directory);
  if (!files) return files.status();
  Model model;
  std::map<std::string, std::string> by_name;
  for (const std::string& file : *files) {
    auto text = read_file(file);
    if (!text) return text.status();
    auto cls = parse_class(file, *text);
    if (!cls) return cls.status();
    if (Status status = undecided(*cls); !status && !options.accept_drafts) return status;
    const auto [other, is_new] = by_name.emplace(cls->name, file);
    if (!is_new) {
      return Status::invalid(file + ": the class '" + cls->name + "' is described by " +
                             other->second + " already");
    }
    model.classes.push_back(std::move(*cls));
  }
  return model;
}

}  // namespace gantry::data::model
