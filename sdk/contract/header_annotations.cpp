#include "sdk/contract/header_annotations.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "sdk/contract/text.hpp"

namespace gantry::contract {
namespace {

constexpr const char* kKeyword = "x-mcp-header";

constexpr std::string_view kSchemaKeywords[] = {
    "items", "contains", "additionalProperties", "propertyNames",         "not",          "if",
    "then",  "else",     "unevaluatedItems",     "unevaluatedProperties", "contentSchema"};
constexpr std::string_view kArrayKeywords[] = {"prefixItems", "allOf", "anyOf", "oneOf"};
constexpr std::string_view kMapKeywords[] = {"patternProperties", "$defs", "definitions",
                                             "dependentSchemas"};

template <std::size_t N>
bool one_of(const std::string_view (&words)[N], std::string_view word) {
  return std::find(words, words + N, word) != words + N;
}

// Of a string; empty of every other value.
std::string text_of(const std::optional<RawJson>& value) {
  return value && value->is(RawJson::Kind::string) ? value->string() : std::string();
}

bool is_token(std::string_view text) {
  static constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || is_digit(c) || kMarks.find(c) != kMarks.npos;
  });
}

class Walk {
 public:
  // `reached`: only "properties" led here. `path` names the place for messages.
  Status visit(const RawJson& schema, const std::string& path, bool reached) {
    if (!schema.is(RawJson::Kind::object)) return Status::ok();
    if (const auto value = schema.find(kKeyword)) {
      if (Status status = annotation(schema, *value, path, reached); !status) return status;
    }
    for (const auto& [name, value] : schema.members()) {
      if (Status status = keyword(name, value, path, reached); !status) return status;
    }
    return Status::ok();
  }

 private:
  Status keyword(const std::string& name, const RawJson& value, const std::string& path,
                 bool reached) {
    const std::string here = path + "/" + name;
    if (name == "properties") return map(value, here, reached);
    if (one_of(kMapKeywords, name)) return map(value, here, false);
    if (one_of(kSchemaKeywords, name)) return visit(value, here, false);
    if (!one_of(kArrayKeywords, name) || !value.is(RawJson::Kind::array)) return Status::ok();
    for (const RawJson& element : value.elements()) {
      if (Status status = visit(element, here, false); !status) return status;
    }
    return Status::ok();
  }

  Status map(const RawJson& schemas, const std::string& path, bool reached) {
    if (!schemas.is(RawJson::Kind::object)) return Status::ok();
    for (const auto& [name, value] : schemas.members()) {
      if (Status status = visit(value, path + "/" + name, reached); !status) return status;
    }
    return Status::ok();
  }

  Status annotation(const RawJson& schema, const RawJson& value, const std::string& path,
                    bool reached) {
    const std::string at = "x-mcp-header at #" + path;
    if (!reached || path.empty()) {
      return Status::invalid(at + " must stand on a property reached through \"properties\" alone");
    }
    const std::string name = text_of(value);
    if (!is_token(name)) {
      return Status::invalid(at + " must be an HTTP token such as \"Region\"");
    }
    const std::string kind = text_of(schema.find("type"));
    if (kind != "string" && kind != "integer" && kind != "boolean") {
      return Status::invalid(at + " needs a property of \"type\" string, integer or boolean");
    }
    if (!seen_.insert(lower(name)).second) {
      return Status::invalid(at + " repeats \"" + name + "\"; names must differ by more than case");
    }
    return Status::ok();
  }

  std::set<std::string> seen_;
};

}  // namespace

Status check_header_annotations(const RawJson& input_schema) {
  return Walk().visit(input_schema, "", true);
}

}  // namespace gantry::contract
