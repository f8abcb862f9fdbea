#include <bit>
#include <map>

#include "compile/keywords.hpp"

namespace gantry::schema::detail {
namespace {

class ObjectKeywords {
 public:
  ObjectKeywords(Assembler& assembler, Site& site)
      : assembler_(assembler), program_(assembler.program()), site_(site) {}

  Status emit();

 private:
  const Json* keyword(const char* name) const { return find(site_.schema, name); }

  Status members();
  void named_members(MemberTable& table);
  void required_names(MemberTable& table, const Json& names);
  void member_slots(MemberTable& table);
  Status pattern_members(MemberTable& table, const Json& patterns);
  void dependent_required(const Json& names);
  void dependent_schemas(const Json& schemas);

  Assembler& assembler_;
  Program& program_;
  Site& site_;
};

// Operands of counts: a. propertyNames: a is the node.
Status ObjectKeywords::emit() {
  site_.emit_count(kObjects, "minProperties", Code::kMinProperties);
  site_.emit_count(kObjects, "maxProperties", Code::kMaxProperties);
  if (Status s = members(); !s) return s;
  if (const Json* names = keyword("propertyNames")) {
    site_.emit(kObjects, {Code::kPropertyNames, assembler_.node_of(*names), 0, 0});
  }
  if (const Json* names = keyword("dependentRequired")) dependent_required(*names);
  if (const Json* schemas = keyword("dependentSchemas")) dependent_schemas(*schemas);
  if (const Json* rest = keyword("unevaluatedProperties")) {
    site_.node.unevaluated_properties = assembler_.node_of(*rest);
  }
  return Status::ok();
}

// kMembers: a is the index in Program::tables.
Status ObjectKeywords::members() {
  const Json* patterns = keyword("patternProperties");
  const Json* additional = keyword("additionalProperties");
  if (keyword("properties") == nullptr && keyword("required") == nullptr && patterns == nullptr &&
      additional == nullptr) {
    return Status::ok();
  }
  MemberTable table;
  named_members(table);
  member_slots(table);
  if (additional != nullptr) table.additional = assembler_.node_of(*additional);
  if (patterns != nullptr) {
    if (Status s = pattern_members(table, *patterns); !s) return s;
  }
  site_.emit(kObjects, {Code::kMembers, static_cast<std::uint32_t>(program_.tables.size()), 0, 0});
  program_.tables.push_back(table);
  return Status::ok();
}

void ObjectKeywords::named_members(MemberTable& table) {
  auto& members = program_.members;
  table.members = static_cast<std::uint32_t>(members.size());
  if (const Json* properties = keyword("properties")) {
    for (const auto& member : properties->GetObject()) {
      members.push_back({assembler_.store(member.name), assembler_.node_of(member.value), kNone});
    }
  }
  if (const Json* required = keyword("required")) required_names(table, *required);
  table.member_count = static_cast<std::uint32_t>(members.size()) - table.members;
}

// The first 64 required names get a bit each; the rest are looked up one by one.
void ObjectKeywords::required_names(MemberTable& table, const Json& names) {
  auto& members = program_.members;
  std::map<std::string_view, std::size_t> known;
  for (std::size_t i = table.members; i < members.size(); ++i) {
    known[program_.view(members[i].name)] = i;
  }
  table.more_required = static_cast<std::uint32_t>(program_.names.size());
  for (rapidjson::SizeType i = 0; i < names.Size(); ++i) {
    if (i >= 64) {
      program_.names.push_back(assembler_.store(names[i]));
      ++table.more_required_count;
      continue;
    }
    table.required_bits |= std::uint64_t{1} << i;
    const auto at = known.find(view(names[i]));
    if (at != known.end()) {
      members[at->second].required_bit = i;
    } else {
      members.push_back({{}, kNone, i});
    }
  }
  // Stored only now: `known` refers to the text, which moves when it grows.
  for (std::size_t i = table.members; i < members.size(); ++i) {
    if (members[i].node != kNone) continue;
    members[i].name = assembler_.store(names[members[i].required_bit]);
  }
}

void ObjectKeywords::member_slots(MemberTable& table) {
  const std::uint32_t size = std::bit_ceil(table.member_count * 2 + 1);
  table.slots = static_cast<std::uint32_t>(program_.slots.size());
  table.slot_mask = size - 1;
  program_.slots.resize(program_.slots.size() + size, kNone);
  std::uint32_t* slots = program_.slots.data() + table.slots;
  for (std::uint32_t i = 0; i < table.member_count; ++i) {
    const std::uint32_t member = table.members + i;
    std::uint32_t at = hash_name(program_.view(program_.members[member].name)) & table.slot_mask;
    while (slots[at] != kNone) at = (at + 1) & table.slot_mask;
    slots[at] = member;
  }
}

Status ObjectKeywords::pattern_members(MemberTable& table, const Json& patterns) {
  const std::string location = with_segment(site_.location, "patternProperties");
  table.patterns = static_cast<std::uint32_t>(program_.patterns.size());
  for (const auto& member : patterns.GetObject()) {
    Result<std::uint32_t> number = assembler_.regex(view(member.name), location);
    if (!number) return number.status();
    program_.patterns.push_back({*number, assembler_.node_of(member.value)});
    ++table.pattern_count;
  }
  return Status::ok();
}

// a, b are first and count in Program::dependencies, here and below.
void ObjectKeywords::dependent_required(const Json& names) {
  auto& list = program_.dependencies;
  site_.emit(kObjects, {Code::kDependentRequired, static_cast<std::uint32_t>(list.size()),
                        names.MemberCount(), 0});
  for (const auto& member : names.GetObject()) {
    const auto first = static_cast<std::uint32_t>(program_.names.size());
    for (const Json& name : member.value.GetArray()) {
      program_.names.push_back(assembler_.store(name));
    }
    list.push_back({assembler_.store(member.name), first, member.value.Size()});
  }
}

void ObjectKeywords::dependent_schemas(const Json& schemas) {
  auto& list = program_.dependencies;
  site_.emit(kAnything, {Code::kDependentSchemas, static_cast<std::uint32_t>(list.size()),
                         schemas.MemberCount(), 0});
  for (const auto& member : schemas.GetObject()) {
    list.push_back({assembler_.store(member.name), assembler_.node_of(member.value), 1});
  }
}

}  // namespace

Status object_keywords(Assembler& assembler, Site& site) {
  return ObjectKeywords(assembler, site).emit();
}

}  // namespace gantry::schema::detail
