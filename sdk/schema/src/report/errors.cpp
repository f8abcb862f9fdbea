// The texts of findings.
#include <algorithm>

#include <gantry/schema/nearest.hpp>

#include "report/sink.hpp"

namespace gantry::schema::detail {
namespace {

constexpr std::size_t kShownNames = 12;
constexpr std::size_t kComparedNames = 256;

struct Describer {
  const Program& program;
  const Op& op;
  const Frame& f;
  std::string_view name;
  Error& error;

  const Node& node() const { return program.nodes[f.node]; }
  bool secret() const { return f.secret; }
  std::string label() const { return "'" + clipped(name, 60) + "'"; }

  void expect(std::string expected, std::string found) {
    error.expected = std::move(expected);
    error.found = std::move(found);
    error.message = "expected " + error.expected + ", got " + error.found;
  }

  void number() {
    const bool integer = (node().types & (kIntegerBit | kNumberBit)) == kIntegerBit;
    const std::string noun = integer ? "integer" : "number";
    const auto bound = [&](const char* sign) {
      expect(noun + sign + program.numbers[op.a].text(), value_text(f.value, secret()));
    };
    if (op.code == Code::kMinimum) return bound(" >= ");
    if (op.code == Code::kMaximum) return bound(" <= ");
    if (op.code == Code::kExclusiveMinimum) return bound(" > ");
    if (op.code == Code::kExclusiveMaximum) return bound(" < ");
    expect(noun + " that is a multiple of " + program.numbers[op.b].text(),
           value_text(f.value, secret()));
  }

  void length() {
    const char* bound = op.code == Code::kMinLength ? "at least " : "at most ";
    expect("string of " + (bound + counted(op.a, "character", "characters")),
           value_text(f.value, true));
  }

  void items() {
    const char* bound = op.code == Code::kMinItems ? "at least " : "at most ";
    expect("array of " + (bound + counted(op.a, "item", "items")), value_text(f.value, true));
  }

  void contains() {
    std::string amount = "at least " + counted(op.b, "item", "items");
    if (op.c != kNone) {
      amount = "between " + std::to_string(op.b) + " and " + counted(op.c, "item", "items");
    }
    expect("array with " + amount + " matching 'contains'", value_text(f.value, true));
  }

  void properties() {
    const char* bound = op.code == Code::kMinProperties ? "at least " : "at most ";
    expect("object of " + (bound + counted(op.a, "property", "properties")),
           "object of " + counted(f.value.MemberCount(), "property", "properties"));
  }

  void missing() {
    error.expected = "property " + label();
    error.found = "no such property";
    error.message = "missing property " + label();
    if (op.code == Code::kDependentRequired) {
      const std::string_view because = program.view(program.dependencies[op.a].name);
      error.message += ", which must accompany '" + clipped(because, 60) + "'";
    }
    const auto similar = nearest(name, unknown_members());
    if (!similar) return;
    error.suggestion = std::string(*similar);
    error.message += "; there is '" + clipped(*similar, 60) + "', was it meant?";
  }

  std::vector<std::string_view> unknown_members() const {
    const auto known = allowed_names(program, f.node, true);
    std::vector<std::string_view> out;
    for (const auto& m : f.value.GetObject()) {
      const std::string_view given(m.name.GetString(), m.name.GetStringLength());
      const bool declared = std::find(known.begin(), known.end(), given) != known.end();
      if (!declared && out.size() < kComparedNames) out.push_back(given);
    }
    return out;
  }

  void unknown() {
    const auto names = allowed_names(program, f.node, op.code == Code::kUnevaluatedProperties);
    error.expected = "only known properties";
    error.found = "property " + label();
    error.message = "unknown property " + label();
    if (const auto similar = nearest(name, absent(names))) {
      error.suggestion = std::string(*similar);
      error.message += "; did you mean '" + error.suggestion + "'?";
    }
    for (std::size_t i = 0; i < std::min(names.size(), kShownNames); ++i) {
      error.allowed.emplace_back(names[i]);
    }
    error.message += (error.suggestion.empty() ? "; allowed: " : " Allowed: ") + list(names);
  }

  std::vector<std::string_view> absent(const std::vector<std::string_view>& names) const {
    std::vector<std::string_view> out;
    for (const std::string_view candidate : names) {
      const Json key(rapidjson::StringRef(candidate.data(), candidate.size()));
      const bool present = f.value.FindMember(key) != f.value.MemberEnd();
      if (!present && out.size() < kComparedNames) out.push_back(candidate);
    }
    return out;
  }

  static std::string list(const std::vector<std::string_view>& names) {
    if (names.empty()) return "none";
    std::string out;
    for (std::size_t i = 0; i < std::min(names.size(), kShownNames); ++i) {
      (out += i == 0 ? "" : ", ") += clipped(names[i], 60);
    }
    if (names.size() > kShownNames) out += ", ...";
    return out;
  }

  void constant() {
    expect(value_text(program.literals[op.a], secret()), value_text(f.value, secret()));
  }

  void enumeration() {
    const EnumTable& table = program.enums[op.a];
    std::string options;
    std::vector<std::string_view> words;
    for (std::size_t i = 0; i < table.as_given.size(); ++i) {
      const Json& option = program.literals[table.as_given[i]];
      if (i < kShownNames) (options += i == 0 ? "" : ", ") += value_text(option, false);
      if (option.IsString() && words.size() < kComparedNames) {
        words.emplace_back(option.GetString(), option.GetStringLength());
      }
    }
    if (table.as_given.size() > kShownNames) options += ", ...";
    if (table.as_given.empty()) options = "nothing";
    expect((table.as_given.size() > 1 ? "one of " : "") + options, value_text(f.value, secret()));
    if (!f.value.IsString() || secret()) return;
    const std::string_view given(f.value.GetString(), f.value.GetStringLength());
    if (const auto similar = nearest(given, words)) {
      error.suggestion = std::string(*similar);
      error.message += "; did you mean " + quoted(error.suggestion) + "?";
    }
  }

  void one_of() {
    if (op.b == 0 || op.code == Code::kAnyOf || op.c == 0) return no_alternative();
    error.expected = "a value that matches exactly one alternative";
    error.found =
        "one that matches alternatives " + std::to_string(op.b) + " and " + std::to_string(op.c);
    error.message = "expected " + error.expected + ", got " + error.found;
  }

  void no_alternative() {
    expect("a value that matches one of " + counted(op.b, "alternative", "alternatives"),
           value_with_kind(f.value, secret()));
  }

  void run() {
    switch (op.code) {
      case Code::kFalse:
        error.expected = "nothing";
        error.found = value_with_kind(f.value, secret());
        error.message = "no value is allowed here";
        return;
      case Code::kType:
        return expect(types_text(node().types), value_with_kind(f.value, secret()));
      case Code::kMinLength:
      case Code::kMaxLength:
        return length();
      case Code::kPattern:
        return expect("string matching " + clipped(program.regexes[op.a].pattern, 120),
                      value_text(f.value, secret()));
      case Code::kMinItems:
      case Code::kMaxItems:
        return items();
      case Code::kUniqueItems:
        return expect("array of distinct items", "equal items");
      case Code::kContains:
        return contains();
      case Code::kMinProperties:
      case Code::kMaxProperties:
        return properties();
      case Code::kRequired:
      case Code::kDependentRequired:
        return missing();
      case Code::kAdditionalProperties:
      case Code::kUnevaluatedProperties:
        return unknown();
      case Code::kUnevaluatedItems:
        error.expected = "no further items";
        error.found = value_with_kind(f.value, true);
        error.message = "no further item is allowed here";
        return;
      case Code::kConst:
        return constant();
      case Code::kEnum:
        return enumeration();
      case Code::kAnyOf:
      case Code::kOneOf:
        return one_of();
      case Code::kNot:
        return expect("a value the schema under 'not' does not describe",
                      value_with_kind(f.value, secret()));
      default:
        return number();
    }
  }
};

}  // namespace

void describe(const Program& program, const Op& op, const Frame& f, std::string_view name,
              Error& error) {
  Describer{program, op, f, name, error}.run();
}

}  // namespace gantry::schema::detail
