#include "catalog/read_tables.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>

#include "catalog/column_type.hpp"
#include "catalog/virtual_table.hpp"

namespace gantry::data {
namespace {

using TableSets = std::unordered_map<const RawClass*, std::set<std::string>>;

bool names_table(const std::vector<SqlWord>& words, const std::string& name) {
  return std::any_of(words.begin(), words.end(), [&name](const SqlWord& word) {
    return word.form != SqlWord::Form::sign && same_name(word.text, name);
  });
}

const std::vector<SqlWord>* words_of_view(const RawClass& cls, const CreateWords& views) {
  if (cls.info.type != ClassType::view) return nullptr;
  for (const auto& [name, words] : views) {
    if (same_name(name, cls.info.name)) return &words;
  }
  return nullptr;
}

}  // namespace

void find_table_of_content(RawClass& cls, const std::vector<RawClass>& classes,
                           const std::vector<SqlWord>& words) {
  const std::string content =
      virtual_module(words).empty() ? std::string() : virtual_option(words, "content");
  if (content.empty()) return;
  for (const RawClass& other : classes) {
    if (same_name(other.info.name, content)) cls.info.reads.push_back(other.info.table);
  }
}

void find_tables_of_views(std::vector<RawClass>& classes, const CreateWords& views) {
  TableSets reads;
  for (const RawClass& cls : classes)
    reads[&cls].insert(cls.info.reads.begin(), cls.info.reads.end());
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (const RawClass& cls : classes) {
      const auto* const words = words_of_view(cls, views);
      if (words == nullptr) continue;
      auto& tables = reads[&cls];
      const std::size_t before = tables.size();
      for (const RawClass& other : classes) {
        if (&other == &cls || !names_table(*words, other.info.name)) continue;
        tables.insert(other.info.table);
        tables.insert(reads[&other].begin(), reads[&other].end());
      }
      is_new = is_new || tables.size() != before;
    }
  }
  for (RawClass& cls : classes) cls.info.reads.assign(reads[&cls].begin(), reads[&cls].end());
}

}  // namespace gantry::data
