// The compiled form of a schema: flat tables and instructions, no JSON tree of the schema.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>

#include "number.hpp"
#include "regex.hpp"

namespace gantry::schema::detail {

inline constexpr std::uint32_t kNone = 0xffffffffU;

// One bit per JSON kind; an instance that is a whole number has both number bits.
enum TypeBit : std::uint8_t {
  kNullBit = 1,
  kBooleanBit = 2,
  kIntegerBit = 4,
  kNumberBit = 8,
  kStringBit = 16,
  kArrayBit = 32,
  kObjectBit = 64,
  kAnyType = 127,
};

enum class Code : std::uint8_t {
  kFalse,
  kType,
  kMinimum,
  kMaximum,
  kExclusiveMinimum,
  kExclusiveMaximum,
  kMultipleOf,
  kMinLength,
  kMaxLength,
  kPattern,
  kMinItems,
  kMaxItems,
  kUniqueItems,
  kPrefixItems,
  kItems,
  kContains,
  kMinProperties,
  kMaxProperties,
  kMembers,
  kPropertyNames,
  kDependentRequired,
  kDependentSchemas,
  kConst,
  kEnum,
  kRef,
  kDynamicRef,
  kAllOf,
  kAnyOf,
  kOneOf,
  kNot,
  kIf,
  kUnevaluatedItems,
  kUnevaluatedProperties,
  // Used as name in findings only; kMembers checks them.
  kRequired,
  kAdditionalProperties,
};

// The operands are described where the instruction is emitted (compile/*_keywords.cpp).
struct Op {
  Code code{};
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
};

// The instructions of a node are grouped by the kind of instance they apply to.
enum Group : std::uint8_t { kNumbers, kStrings, kArrays, kObjects, kAnything, kGroups };

// One schema.
struct Node {
  std::array<std::uint32_t, kGroups + 1> ends{};  // group g is ops[ends[g], ends[g + 1])
  std::uint32_t resource = 0;
  std::uint32_t unevaluated_items = kNone;       // node
  std::uint32_t unevaluated_properties = kNone;  // node
  std::uint8_t types = kAnyType;
  bool accepts_all = false;
  bool rejects_all = false;
  bool secret = false;  // its values, and values inside them, must not be quoted
};

struct Text {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

struct Member {
  Text name;
  std::uint32_t node = kNone;          // kNone: only required
  std::uint32_t required_bit = kNone;  // 0..63
};

struct PatternMember {
  std::uint32_t regex = 0;
  std::uint32_t node = 0;
};

// All rules on the members of an object that one pass over the members can check.
struct MemberTable {
  std::uint32_t slots = 0;  // index of the first of slot_mask + 1 slots in Program::slots
  std::uint32_t slot_mask = 0;
  std::uint32_t members = 0;
  std::uint32_t member_count = 0;
  std::uint32_t patterns = 0;
  std::uint32_t pattern_count = 0;
  std::uint32_t additional = kNone;  // node
  std::uint64_t required_bits = 0;
  std::uint32_t more_required = 0;  // names beyond the 64 that have bits, in Program::names
  std::uint32_t more_required_count = 0;
};

struct EnumTable {
  std::vector<Text> strings;            // by size, then bytes
  std::vector<std::uint32_t> others;    // in Program::literals
  std::vector<std::uint32_t> as_given;  // all of them, for findings
};

struct Dependency {
  Text name;
  std::uint32_t first = 0;  // names of dependentRequired, or the node of dependentSchemas
  std::uint32_t count = 0;
};

// It has more than twelve members: a flat table for each sort of node, which runs read by index.
struct Program {
  std::vector<Node> nodes;  // 0 is the root
  std::vector<Op> ops;
  std::vector<std::uint32_t> children;  // node lists of allOf, anyOf, oneOf, prefixItems
  std::vector<Number> numbers;
  std::vector<Decimal> decimals;
  std::vector<Regex> regexes;
  std::vector<MemberTable> tables;
  std::vector<Member> members;
  std::vector<std::uint32_t> slots;  // open addressing: index in `members`, or kNone
  std::vector<PatternMember> patterns;
  std::vector<EnumTable> enums;
  std::vector<Dependency> dependencies;
  std::vector<Text> names;
  std::string text;
  // By dynamic anchor and resource: the node with the anchor there, or kNone.
  std::vector<std::vector<std::uint32_t>> dynamic_anchors;
  rapidjson::Document literals;        // an array: the operands of const and enum
  std::vector<std::string> locations;  // of each node, for findings
  std::uint32_t max_depth = 0;
  std::uint64_t max_steps = 0;

  std::string_view view(Text t) const { return std::string_view(text).substr(t.offset, t.size); }
};

}  // namespace gantry::schema::detail
