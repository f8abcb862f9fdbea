#include <algorithm>

#include "report/sink.hpp"

namespace gantry::schema::detail {
namespace {

constexpr std::size_t kMaxNames = 512;
constexpr int kMaxDescent = 6;

struct Collector {
  const Program& program;
  bool with_applied;
  std::vector<std::string_view> names;

  void add_table(const MemberTable& table) {
    for (std::uint32_t i = 0; i < table.member_count && names.size() < kMaxNames; ++i) {
      const Member& member = program.members[table.members + i];
      const std::string_view name = program.view(member.name);
      // Names that are only required, or that can never be valid, are not suggested.
      if (member.node == kNone || program.nodes[member.node].rejects_all) continue;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }

  void add_applied(const Op& op, int descent) {
    if (op.code == Code::kRef || op.code == Code::kDynamicRef || op.code == Code::kIf) {
      add(op.a, descent);
    }
    if (op.code == Code::kIf && op.b != kNone) add(op.b, descent);
    if (op.code == Code::kIf && op.c != kNone) add(op.c, descent);
    if (op.code == Code::kAllOf || op.code == Code::kAnyOf || op.code == Code::kOneOf) {
      for (std::uint32_t i = 0; i < op.b; ++i) add(program.children[op.a + i], descent);
    }
  }

  void add(std::uint32_t index, int descent) {
    if (descent == 0 || names.size() >= kMaxNames) return;
    const Node& node = program.nodes[index];
    for (std::uint32_t i = node.ends[kObjects]; i < node.ends[kGroups]; ++i) {
      const Op& op = program.ops[i];
      if (op.code == Code::kMembers) add_table(program.tables[op.a]);
      if (with_applied) add_applied(op, descent - 1);
    }
  }
};

}  // namespace

std::vector<std::string_view> allowed_names(const Program& program, std::uint32_t node,
                                            bool with_applied) {
  Collector collector{program, with_applied, {}};
  collector.add(node, kMaxDescent);
  return std::move(collector.names);
}

const char* keyword_of(Code code) {
  constexpr const char* kNames[] = {"false schema",
                                    "type",
                                    "minimum",
                                    "maximum",
                                    "exclusiveMinimum",
                                    "exclusiveMaximum",
                                    "multipleOf",
                                    "minLength",
                                    "maxLength",
                                    "pattern",
                                    "minItems",
                                    "maxItems",
                                    "uniqueItems",
                                    "prefixItems",
                                    "items",
                                    "contains",
                                    "minProperties",
                                    "maxProperties",
                                    "properties",
                                    "propertyNames",
                                    "dependentRequired",
                                    "dependentSchemas",
                                    "const",
                                    "enum",
                                    "$ref",
                                    "$dynamicRef",
                                    "allOf",
                                    "anyOf",
                                    "oneOf",
                                    "not",
                                    "if",
                                    "unevaluatedItems",
                                    "unevaluatedProperties",
                                    "required",
                                    "additionalProperties"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Code::kAdditionalProperties) + 1);
  return kNames[static_cast<std::size_t>(code)];
}

}  // namespace gantry::schema::detail
