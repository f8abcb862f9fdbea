// The rules for objects.
#include <bit>
#include <cstring>

#include "compile.hpp"

namespace gantry::schema::detail {

// Operands of counts: a. kMembers: a is the index in Program::tables. propertyNames: a is the node.
// Dependencies: a, b are first and count in Program::dependencies.
Status Builder::objects(Site& site) {
  count_op(site, kObjects, "minProperties", Code::kMinProperties);
  count_op(site, kObjects, "maxProperties", Code::kMaxProperties);
  if (Status s = members(site); !s) return s;
  if (const Json* names = find(site.schema, "propertyNames")) {
    site.emit(kObjects, {Code::kPropertyNames, node_of(*names), 0, 0});
  }
  dependencies(site);
  if (const Json* rest = find(site.schema, "unevaluatedProperties")) {
    site.node.unevaluated_properties = node_of(*rest);
  }
  return Status::ok();
}

Status Builder::members(Site& site) {
  const Json* properties = find(site.schema, "properties");
  const Json* patterns = find(site.schema, "patternProperties");
  const Json* additional = find(site.schema, "additionalProperties");
  const Json* required = find(site.schema, "required");
  if (properties == nullptr && patterns == nullptr && additional == nullptr &&
      required == nullptr) {
    return Status::ok();
  }
  MemberTable table;
  table.members = static_cast<std::uint32_t>(program_.members.size());
  if (properties != nullptr) {
    for (const auto& member : properties->GetObject()) {
      program_.members.push_back({store(member.name), node_of(member.value), kNone});
    }
  }
  if (required != nullptr) required_names(table, *required, table.members);
  table.member_count = static_cast<std::uint32_t>(program_.members.size()) - table.members;
  member_slots(table);
  if (additional != nullptr) table.additional = node_of(*additional);
  if (patterns != nullptr) {
    if (Status s = pattern_members(site, table, *patterns); !s) return s;
  }
  site.emit(kObjects, {Code::kMembers, static_cast<std::uint32_t>(program_.tables.size()), 0, 0});
  program_.tables.push_back(table);
  return Status::ok();
}

// The first 64 required names get a bit each; the rest are looked up one by one.
void Builder::required_names(MemberTable& table, const Json& names, std::uint32_t first) {
  auto& members = program_.members;
  std::map<std::string_view, std::size_t> known;
  for (std::size_t i = first; i < members.size(); ++i) known[program_.view(members[i].name)] = i;
  table.more_required = static_cast<std::uint32_t>(program_.names.size());
  for (rapidjson::SizeType i = 0; i < names.Size(); ++i) {
    if (i >= 64) {
      program_.names.push_back(store(names[i]));
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
  for (std::size_t i = first; i < members.size(); ++i) {
    if (members[i].node == kNone) members[i].name = store(names[members[i].required_bit]);
  }
}

void Builder::member_slots(MemberTable& table) {
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

Status Builder::pattern_members(Site& site, MemberTable& table, const Json& patterns) {
  table.patterns = static_cast<std::uint32_t>(program_.patterns.size());
  for (const auto& member : patterns.GetObject()) {
    Result<std::uint32_t> number =
        regex(site, view(member.name), with_segment(site.location, "patternProperties"));
    if (!number) return number.status();
    program_.patterns.push_back({*number, node_of(member.value)});
    ++table.pattern_count;
  }
  return Status::ok();
}

void Builder::dependencies(Site& site) {
  auto& list = program_.dependencies;
  if (const Json* names = find(site.schema, "dependentRequired")) {
    site.emit(kObjects, {Code::kDependentRequired, static_cast<std::uint32_t>(list.size()),
                         names->MemberCount(), 0});
    for (const auto& member : names->GetObject()) {
      const auto first = static_cast<std::uint32_t>(program_.names.size());
      for (const Json& name : member.value.GetArray()) program_.names.push_back(store(name));
      list.push_back({store(member.name), first, member.value.Size()});
    }
  }
  if (const Json* schemas = find(site.schema, "dependentSchemas")) {
    site.emit(kAnything, {Code::kDependentSchemas, static_cast<std::uint32_t>(list.size()),
                          schemas->MemberCount(), 0});
    for (const auto& member : schemas->GetObject()) {
      list.push_back({store(member.name), node_of(member.value), 1});
    }
  }
}

std::uint32_t hash_name(std::string_view name) {
  std::uint64_t h = name.size() * 0x9e3779b97f4a7c15U;
  const auto mix = [&](std::uint64_t word) {
    h = (h ^ word) * 0xd6e8feb86659fd93U;
    h ^= h >> 32U;
  };
  std::uint64_t word = 0;
  while (name.size() >= sizeof word) {
    std::memcpy(&word, name.data(), sizeof word);
    mix(word);
    name.remove_prefix(sizeof word);
  }
  word = 0;
  for (const char c : name) word = (word << 8U) | static_cast<unsigned char>(c);
  mix(word);
  return static_cast<std::uint32_t>(h);
}

}  // namespace gantry::schema::detail
