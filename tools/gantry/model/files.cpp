#include "tools/gantry/model/files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <rapidjson/document.h>

#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

namespace fs = std::filesystem;
using rapidjson::Value;

std::optional<std::vector<std::string>> list_at(const Value& object, const char* name) {
  const Value* const list = find_member(object, name);
  if (list == nullptr || !list->IsArray()) return std::nullopt;
  std::vector<std::string> names;
  for (const Value& one : list->GetArray()) {
    if (one.IsString()) names.emplace_back(one.GetString());
  }
  return names;
}

bool is_true(const Value& object, const char* name) {
  const Value* const flag = find_member(object, name);
  return flag != nullptr && flag->IsTrue();
}

void read_fields(const Value& json, ModelFile& file) {
  const Value* const fields = find_member(json, "fields");
  if (fields == nullptr || !fields->IsObject()) return;
  for (const auto& field : fields->GetObject()) {
    if (!text_at(field.value, "description").empty()) {
      file.described_fields.insert(field.name.GetString());
    }
    const std::string decide = text_at(field.value, "decide");
    if (decide.empty()) continue;
    file.undecided.push_back({field.name.GetString(), decide, text_at(field.value, "reason")});
  }
}

void read_pointers(const Value& json, ModelFile& file) {
  const Value* const pointers = find_member(json, "pointers");
  if (pointers == nullptr || !pointers->IsObject()) return;
  for (const auto& pointer : pointers->GetObject()) {
    const std::string column =
        pointer.value.IsObject() ? text_at(pointer.value, "column") : std::string();
    if (!column.empty()) file.renamed[column] = pointer.name.GetString();
  }
}

ModelFile file_of(const Value& json) {
  ModelFile file;
  file.cls = text_at(json, "class");
  file.table = text_at(json, "table");
  if (file.table.empty()) file.table = file.cls;
  file.is_document = !text_at(json, "document").empty();
  const Value* const hidden = find_member(json, "hidden");
  file.is_hidden = hidden != nullptr && !hidden->IsFalse();
  file.is_visible = is_true(json, "visible");
  file.is_described = !text_at(json, "description").empty();
  file.agent_fields = list_at(json, "agent_fields");
  file.agent_join_fields = list_at(json, "agent_join_fields");
  if (const Value* const filter = find_member(json, "canonical_filter")) {
    file.canonical_filter = compact(*filter);
  }
  read_fields(json, file);
  read_pointers(json, file);
  return file;
}

}  // namespace

Result<std::vector<ModelFile>> read_model_files(const std::string& directory) {
  std::error_code error;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".json") && name.front() != '.') paths.push_back(entry.path());
  }
  if (error) return Status::invalid(directory + " cannot be read: " + error.message());
  std::sort(paths.begin(), paths.end());
  std::vector<ModelFile> files;
  for (const fs::path& path : paths) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const rapidjson::Document json = parsed(text);
    if (!json.IsObject() || text_at(json, "class").empty()) {
      return Status::invalid(path.string() +
                             " is no JSON object with a \"class\"; gantryd refuses it");
    }
    files.push_back(file_of(json));
    files.back().file = path;
  }
  return files;
}

}  // namespace gantry::cli
