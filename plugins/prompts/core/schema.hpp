// core/schema.hpp: parses the class descriptions of gantry.data/1. Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

namespace prompts {

struct FieldInfo {
  std::string name, type;    // "Pointer", "Date", …
  std::string target_class;  // pointers: the class, if the caller can see it
  bool required = false;

  bool is_pointer() const { return type == "Pointer"; }
};

struct ClassSchema {
  std::string name;
  std::vector<FieldInfo> fields;

  const FieldInfo* find(std::string_view field) const;  // null when absent
  // The first of `names` that is a date field, else the first date field; null if there is none.
  const FieldInfo* date(const std::vector<std::string_view>& names) const;
};

// Parses "meta" of an answer. Errors: it does not have the form that gantry.data/1 guarantees.
gantry::Result<ClassSchema> parse_schema(std::string_view meta);
gantry::Result<std::vector<std::string>> parse_class_names(std::string_view meta);  // sorted

}  // namespace prompts
