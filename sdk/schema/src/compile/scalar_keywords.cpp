#include <algorithm>

#include "compile/keywords.hpp"

namespace gantry::schema::detail {
namespace {

class ScalarKeywords {
 public:
  ScalarKeywords(Assembler& assembler, Site& site)
      : assembler_(assembler), program_(assembler.program()), site_(site) {}

  Status emit() {
    types();
    secrecy();
    numbers();
    constant();
    enumeration();
    return strings();
  }

 private:
  const Json* keyword(const char* name) const { return find(site_.schema, name); }

  void types();
  void secrecy();
  void bound(const char* name, Code code);
  void numbers();
  void constant();
  void enumeration();
  Status strings();

  Assembler& assembler_;
  Program& program_;
  Site& site_;
};

void ScalarKeywords::types() {
  const Json* type = keyword("type");
  if (type == nullptr) return;
  if (type->IsString()) site_.node.types = type_bit(view(*type));
  if (!type->IsArray()) return;
  site_.node.types = 0;
  for (const Json& name : type->GetArray()) site_.node.types |= type_bit(view(name));
}

void ScalarKeywords::secrecy() {
  const Json* write_only = keyword("writeOnly");
  const Json* format = keyword("format");
  site_.node.secret = (write_only != nullptr && write_only->IsTrue()) ||
                      (format != nullptr && view(*format) == "password");
}

// a is the index in Program::numbers.
void ScalarKeywords::bound(const char* name, Code code) {
  const Json* value = keyword(name);
  if (value == nullptr) return;
  site_.emit(kNumbers, {code, static_cast<std::uint32_t>(program_.numbers.size()), 0, 0});
  program_.numbers.push_back(Number::of(*value));
}

// multipleOf: a is the index in Program::decimals, b that of the number as written, for findings.
void ScalarKeywords::numbers() {
  bound("minimum", Code::kMinimum);
  bound("maximum", Code::kMaximum);
  bound("exclusiveMinimum", Code::kExclusiveMinimum);
  bound("exclusiveMaximum", Code::kExclusiveMaximum);
  const Json* divisor = keyword("multipleOf");
  if (divisor == nullptr) return;
  site_.emit(kNumbers, {Code::kMultipleOf, static_cast<std::uint32_t>(program_.decimals.size()),
                        static_cast<std::uint32_t>(program_.numbers.size()), 0});
  program_.decimals.push_back(Decimal::of(Number::of(*divisor)));
  program_.numbers.push_back(Number::of(*divisor));
}

// Lengths: a is the count. pattern: a is the index in Program::regexes.
Status ScalarKeywords::strings() {
  site_.emit_count(kStrings, "minLength", Code::kMinLength);
  site_.emit_count(kStrings, "maxLength", Code::kMaxLength);
  const Json* pattern = keyword("pattern");
  if (pattern == nullptr) return Status::ok();
  Result<std::uint32_t> number =
      assembler_.regex(view(*pattern), with_segment(site_.location, "pattern"));
  if (!number) return number.status();
  site_.emit(kStrings, {Code::kPattern, *number, 0, 0});
  return Status::ok();
}

// a is the index in Program::literals.
void ScalarKeywords::constant() {
  const Json* value = keyword("const");
  if (value != nullptr) site_.emit(kAnything, {Code::kConst, assembler_.literal(*value), 0, 0});
}

// a is the index in Program::enums.
void ScalarKeywords::enumeration() {
  const Json* values = keyword("enum");
  if (values == nullptr) return;
  EnumTable table;
  for (const Json& value : values->GetArray()) {
    table.as_given.push_back(assembler_.literal(value));
    if (value.IsString()) {
      table.strings.push_back(assembler_.store(value));
    } else {
      table.others.push_back(table.as_given.back());
    }
  }
  std::sort(table.strings.begin(), table.strings.end(), [&](Text a, Text b) {
    return a.size != b.size ? a.size < b.size : program_.view(a) < program_.view(b);
  });
  site_.emit(kAnything, {Code::kEnum, static_cast<std::uint32_t>(program_.enums.size()), 0, 0});
  program_.enums.push_back(std::move(table));
}

}  // namespace

Status scalar_keywords(Assembler& assembler, Site& site) {
  return ScalarKeywords(assembler, site).emit();
}

}  // namespace gantry::schema::detail
