// core/schema.hpp: what gantry.data/1 says of classes, read. Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

namespace prompts {

struct FieldInfo {
  std::string name, type;    // "Pointer", "Date", …
  std::string target_class;  // of a pointer whose class the caller sees
  bool required = false;

  bool is_pointer() const { return type == "Pointer"; }
};

struct ClassSchema {
  std::string name;
  std::vector<FieldInfo> fields;

  const FieldInfo* find(std::string_view field) const;  // null when absent
  // The first of `names` that is a date, else the first date of all; null when there is none.
  const FieldInfo* date(const std::vector<std::string_view>& names) const;
};

// Of the answers' "meta". Errors: it is not what gantry.data/1 promises.
gantry::Result<ClassSchema> parse_schema(std::string_view meta);
gantry::Result<std::vector<std::string>> parse_class_names(std::string_view meta);  // sorted

}  // namespace prompts
