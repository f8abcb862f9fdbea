#include "host/plugin/header_annotations.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

namespace gantry::host {
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

std::string_view view(const rapidjson::Value& text) {
  return {text.GetString(), text.GetStringLength()};
}

bool is_token(std::string_view text) {
  static constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || kMarks.find(c) != kMarks.npos;
  });
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

class Walk {
 public:
  // `reached`: only "properties" led here. `path` names the place for messages.
  Status visit(const rapidjson::Value& schema, const std::string& path, bool reached) {
    if (!schema.IsObject()) return Status::ok();
    if (const auto found = schema.FindMember(kKeyword); found != schema.MemberEnd()) {
      if (Status status = annotation(schema, found->value, path, reached); !status) return status;
    }
    for (const auto& member : schema.GetObject()) {
      if (Status status = keyword(view(member.name), member.value, path, reached); !status) {
        return status;
      }
    }
    return Status::ok();
  }

 private:
  Status keyword(std::string_view name, const rapidjson::Value& value, const std::string& path,
                 bool reached) {
    const std::string here = path + "/" + std::string(name);
    if (name == "properties") return map(value, here, reached);
    if (one_of(kMapKeywords, name)) return map(value, here, false);
    if (one_of(kSchemaKeywords, name)) return visit(value, here, false);
    if (!one_of(kArrayKeywords, name) || !value.IsArray()) return Status::ok();
    for (const auto& element : value.GetArray()) {
      if (Status status = visit(element, here, false); !status) return status;
    }
    return Status::ok();
  }

  Status map(const rapidjson::Value& schemas, const std::string& path, bool reached) {
    if (!schemas.IsObject()) return Status::ok();
    for (const auto& member : schemas.GetObject()) {
      const std::string here = path + "/" + std::string(view(member.name));
      if (Status status = visit(member.value, here, reached); !status) return status;
    }
    return Status::ok();
  }

  Status annotation(const rapidjson::Value& schema, const rapidjson::Value& value,
                    const std::string& path, bool reached) {
    const std::string at = "x-mcp-header at #" + path;
    if (!reached || path.empty()) {
      return Status::invalid(at + " must stand on a property reached through \"properties\" alone");
    }
    if (!value.IsString() || !is_token(view(value))) {
      return Status::invalid(at + " must be an HTTP token such as \"Region\"");
    }
    const auto type = schema.FindMember("type");
    const std::string_view kind =
        type != schema.MemberEnd() && type->value.IsString() ? view(type->value) : "";
    if (kind != "string" && kind != "integer" && kind != "boolean") {
      return Status::invalid(at + " needs a property of \"type\" string, integer or boolean");
    }
    if (!seen_.insert(lower(view(value))).second) {
      return Status::invalid(at + " repeats \"" + std::string(view(value)) +
                             "\"; names must differ by more than case");
    }
    return Status::ok();
  }

  std::set<std::string> seen_;
};

}  // namespace

Status check_header_annotations(const rapidjson::Value& input_schema) {
  return Walk().visit(input_schema, "", true);
}

}  // namespace gantry::host
