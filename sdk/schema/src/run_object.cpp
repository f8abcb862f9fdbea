#include "runner.hpp"

namespace gantry::schema::detail {
namespace {

std::string_view text_of(const Json& string) {
  return {string.GetString(), string.GetStringLength()};
}

}  // namespace

bool Runner::run_member(std::uint32_t node, const Json::Member& m, const Frame& f) {
  const Path path{f.path, text_of(m.name), 0, true};
  return run(node, Frame{m.value, &path, f.scope, f.secret});
}

bool Runner::has_member(const Json& object, std::string_view name) {
  if (!spend(object.MemberCount() / 8)) return false;
  const Json key(rapidjson::StringRef(name.data(), name.size()));
  return object.FindMember(key) != object.MemberEnd();
}

const Member* Runner::find_member(const MemberTable& table, std::string_view name) {
  if (table.member_count == 0) return nullptr;
  std::uint32_t at = hash_name(name) & table.slot_mask;
  std::uint64_t probes = 0;
  for (;; at = (at + 1) & table.slot_mask, ++probes) {
    const std::uint32_t slot = program_.slots[table.slots + at];
    if (slot == kNone) break;
    const Member& candidate = program_.members[slot];
    if (program_.view(candidate.name) == name) return &candidate;
  }
  spend(probes / 4);
  return nullptr;
}

bool Runner::member(const MemberTable& table, const Json::Member& m, std::size_t position,
                    const Frame& f, std::uint64_t& present) {
  const std::string_view name = text_of(m.name);
  bool good = true;
  bool judged = false;
  if (const Member* known = find_member(table, name)) {
    if (known->required_bit != kNone) present |= std::uint64_t{1} << known->required_bit;
    judged = known->node != kNone;
    if (judged) good = run_member(known->node, m, f);
  }
  for (std::uint32_t i = 0; i < table.pattern_count; ++i) {
    const PatternMember& pattern = program_.patterns[table.patterns + i];
    if (!matches(pattern.regex, name)) continue;
    judged = true;
    good = run_member(pattern.node, m, f) && good;
  }
  if (!judged && table.additional != kNone) {
    judged = true;
    const bool forbidden = program_.nodes[table.additional].rejects_all;
    good = forbidden ? fail({Code::kAdditionalProperties, 0, 0, 0}, f, name)
                     : run_member(table.additional, m, f);
  }
  if (judged && f.seen != nullptr) f.seen->mark(position);
  return good;
}

bool Runner::members(const Op& op, const Frame& f) {
  const MemberTable& table = program_.tables[op.a];
  const auto begin = f.value.MemberBegin();
  const auto end = f.value.MemberEnd();
  std::uint64_t present = 0;
  bool good = true;
  for (auto at = begin; at != end; ++at) {
    if (!spend(1)) return false;
    good = member(table, *at, static_cast<std::size_t>(at - begin), f, present) && good;
    if (!good && sink_ == nullptr) return false;
  }
  if (present != table.required_bits) good = report_missing(table, f, present);
  return (table.more_required_count == 0 || more_required(table, f)) && good;
}

bool Runner::report_missing(const MemberTable& table, const Frame& f, std::uint64_t present) {
  if (sink_ == nullptr) return false;
  for (std::uint32_t i = 0; i < table.member_count; ++i) {
    const Member& m = program_.members[table.members + i];
    const bool missing = m.required_bit != kNone && ((present >> m.required_bit) & 1U) == 0;
    if (missing) fail({Code::kRequired, 0, 0, 0}, f, program_.view(m.name));
  }
  return false;
}

bool Runner::more_required(const MemberTable& table, const Frame& f) {
  bool good = true;
  for (std::uint32_t i = 0; i < table.more_required_count; ++i) {
    const std::string_view name = program_.view(program_.names[table.more_required + i]);
    if (has_member(f.value, name)) continue;
    good = fail({Code::kRequired, 0, 0, 0}, f, name);
    if (sink_ == nullptr) return false;
  }
  return good;
}

bool Runner::property_names(const Op& op, const Frame& f) {
  bool good = true;
  for (const auto& m : f.value.GetObject()) {
    const Path path{f.path, text_of(m.name), 0, true, true};
    good = run(op.a, Frame{m.name, &path, f.scope, f.secret}) && good;
    if (!good && sink_ == nullptr) return false;
  }
  return good;
}

bool Runner::dependent_required(const Op& op, const Frame& f) {
  bool good = true;
  for (std::uint32_t i = 0; i < op.b; ++i) {
    const Dependency& rule = program_.dependencies[op.a + i];
    if (!has_member(f.value, program_.view(rule.name))) continue;
    for (std::uint32_t k = 0; k < rule.count; ++k) {
      const std::string_view name = program_.view(program_.names[rule.first + k]);
      // The finding names the member that requires the missing one.
      if (!has_member(f.value, name)) good = fail({op.code, op.a + i, 1, 0}, f, name);
      if (!good && sink_ == nullptr) return false;
    }
  }
  return good;
}

bool Runner::dependent_schemas(const Op& op, const Frame& f) {
  if (!f.value.IsObject()) return true;
  bool good = true;
  for (std::uint32_t i = 0; i < op.b; ++i) {
    const Dependency& rule = program_.dependencies[op.a + i];
    if (has_member(f.value, program_.view(rule.name))) good = run(rule.first, f) && good;
    if (!good && sink_ == nullptr) return false;
  }
  return good;
}

bool Runner::unevaluated_properties(const Node& node, const Frame& f) {
  bool good = true;
  std::size_t position = 0;
  for (const auto& m : f.value.GetObject()) {
    if (f.seen->has(position++)) continue;
    const bool forbidden = program_.nodes[node.unevaluated_properties].rejects_all;
    good = (forbidden ? fail({Code::kUnevaluatedProperties, 0, 0, 0}, f, text_of(m.name))
                      : run_member(node.unevaluated_properties, m, f)) &&
           good;
    if (!good && sink_ == nullptr) return false;
  }
  f.seen->mark_all();
  return good;
}

}  // namespace gantry::schema::detail
