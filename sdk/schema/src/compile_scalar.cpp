// type, const, enum, and the rules for numbers and strings.
#include <algorithm>

#include "compile.hpp"

namespace gantry::schema::detail {

void Builder::types(Site& site) {
  const Json* type = find(site.schema, "type");
  if (type != nullptr && type->IsString()) site.node.types = type_bit(view(*type));
  if (type != nullptr && type->IsArray()) {
    site.node.types = 0;
    for (const Json& name : type->GetArray()) site.node.types |= type_bit(view(name));
  }
  const Json* write_only = find(site.schema, "writeOnly");
  const Json* format = find(site.schema, "format");
  site.node.secret = (write_only != nullptr && write_only->IsTrue()) ||
                     (format != nullptr && view(*format) == "password");
}

// Bounds: a is the index in Program::numbers; multipleOf: the index in Program::decimals.
void Builder::numbers(Site& site) {
  const auto bound = [&](const char* keyword, Code code) {
    const Json* value = find(site.schema, keyword);
    if (value == nullptr) return;
    site.emit(kNumbers, {code, static_cast<std::uint32_t>(program_.numbers.size()), 0, 0});
    program_.numbers.push_back(Number::of(*value));
  };
  bound("minimum", Code::kMinimum);
  bound("maximum", Code::kMaximum);
  bound("exclusiveMinimum", Code::kExclusiveMinimum);
  bound("exclusiveMaximum", Code::kExclusiveMaximum);
  if (const Json* divisor = find(site.schema, "multipleOf")) {
    // b is the number as written, for findings.
    site.emit(kNumbers, {Code::kMultipleOf, static_cast<std::uint32_t>(program_.decimals.size()),
                         static_cast<std::uint32_t>(program_.numbers.size()), 0});
    program_.decimals.push_back(Decimal::of(Number::of(*divisor)));
    program_.numbers.push_back(Number::of(*divisor));
  }
}

// Lengths: a is the count. pattern: a is the index in Program::regexes.
Status Builder::strings(Site& site) {
  count_op(site, kStrings, "minLength", Code::kMinLength);
  count_op(site, kStrings, "maxLength", Code::kMaxLength);
  const Json* pattern = find(site.schema, "pattern");
  if (pattern == nullptr) return Status::ok();
  Result<std::uint32_t> number =
      regex(site, view(*pattern), with_segment(site.location, "pattern"));
  if (!number) return number.status();
  site.emit(kStrings, {Code::kPattern, *number, 0, 0});
  return Status::ok();
}

Result<std::uint32_t> Builder::regex(Site&, std::string_view pattern, const std::string& location) {
  const auto [at, fresh] = regex_numbers_.emplace(
      std::string(pattern), static_cast<std::uint32_t>(program_.regexes.size()));
  if (!fresh) return at->second;
  Result<Regex> compiled = Regex::compile(pattern);
  if (!compiled) {
    return bad_schema(location, "'" + std::string(pattern.substr(0, 80)) +
                                    "' is not a regular expression: " + compiled.message());
  }
  program_.regexes.push_back(std::move(*compiled));
  return at->second;
}

// const: a is the index in Program::literals. enum: a is the index in Program::enums.
void Builder::constants(Site& site) {
  if (const Json* value = find(site.schema, "const")) {
    site.emit(kAnything, {Code::kConst, literal(*value), 0, 0});
  }
  const Json* values = find(site.schema, "enum");
  if (values == nullptr) return;
  EnumTable table;
  for (const Json& value : values->GetArray()) {
    table.as_given.push_back(literal(value));
    if (value.IsString()) {
      table.strings.push_back(store(value));
    } else {
      table.others.push_back(table.as_given.back());
    }
  }
  std::sort(table.strings.begin(), table.strings.end(), [&](Text a, Text b) {
    return a.size != b.size ? a.size < b.size : program_.view(a) < program_.view(b);
  });
  site.emit(kAnything, {Code::kEnum, static_cast<std::uint32_t>(program_.enums.size()), 0, 0});
  program_.enums.push_back(std::move(table));
}

}  // namespace gantry::schema::detail
