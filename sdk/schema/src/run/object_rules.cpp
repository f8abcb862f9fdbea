#include "run/object_rules.hpp"

#include "run/runner.hpp"

namespace gantry::schema::detail {

bool ObjectRules::apply(const Op& op, const Frame& f) const {
  switch (op.code) {
    case Code::kMinProperties:
      return f.value.MemberCount() >= op.a || state_.fail(op, f);
    case Code::kMaxProperties:
      return f.value.MemberCount() <= op.a || state_.fail(op, f);
    case Code::kMembers:
      return members(op, f);
    case Code::kPropertyNames:
      return property_names(op, f);
    default:
      return dependent_required(op, f);
  }
}

bool ObjectRules::run_member(std::uint32_t node, const Json::Member& m, const Frame& f) const {
  const Path path{f.path, view(m.name), 0, true};
  return runner_.run(node, Frame{m.value, &path, f.scope, f.secret});
}

bool ObjectRules::run_rest(std::uint32_t node, Code code, const Json::Member& m,
                           const Frame& f) const {
  const bool forbidden = state_.program().nodes[node].rejects_all;
  return forbidden ? state_.fail({code, 0, 0, 0}, f, view(m.name)) : run_member(node, m, f);
}

const Member* ObjectRules::find_member(const MemberTable& table, std::string_view name) const {
  if (table.member_count == 0) return nullptr;
  const Program& program = state_.program();
  std::uint32_t at = hash_name(name) & table.slot_mask;
  std::uint64_t probes = 0;
  for (;; at = (at + 1) & table.slot_mask, ++probes) {
    const std::uint32_t slot = program.slots[table.slots + at];
    if (slot == kNone) break;
    const Member& candidate = program.members[slot];
    if (program.view(candidate.name) == name) return &candidate;
  }
  state_.spend(probes / 4);
  return nullptr;
}

bool ObjectRules::member(const MemberTable& table, const Json::Member& m, std::size_t position,
                         const Frame& f, std::uint64_t& present) const {
  const std::string_view name = view(m.name);
  bool good = true;
  bool judged = false;
  if (const Member* known = find_member(table, name)) {
    if (known->required_bit != kNone) present |= std::uint64_t{1} << known->required_bit;
    judged = known->node != kNone;
    if (judged) good = run_member(known->node, m, f);
  }
  for (std::uint32_t i = 0; i < table.pattern_count; ++i) {
    const PatternMember& pattern = state_.program().patterns[table.patterns + i];
    if (!state_.matches(pattern.regex, name)) continue;
    judged = true;
    good = run_member(pattern.node, m, f) && good;
  }
  if (!judged && table.additional != kNone) {
    judged = true;
    good = run_rest(table.additional, Code::kAdditionalProperties, m, f);
  }
  if (judged && f.seen != nullptr) f.seen->mark(position);
  return good;
}

bool ObjectRules::members(const Op& op, const Frame& f) const {
  const MemberTable& table = state_.program().tables[op.a];
  const auto begin = f.value.MemberBegin();
  const auto end = f.value.MemberEnd();
  std::uint64_t present = 0;
  bool good = true;
  for (auto at = begin; at != end; ++at) {
    if (!state_.spend(1)) return false;
    good = member(table, *at, static_cast<std::size_t>(at - begin), f, present) && good;
    if (!good && !state_.reports()) return false;
  }
  if (present != table.required_bits) good = report_missing(table, f, present);
  return (table.more_required_count == 0 || more_required(table, f)) && good;
}

bool ObjectRules::report_missing(const MemberTable& table, const Frame& f,
                                 std::uint64_t present) const {
  if (!state_.reports()) return false;
  const Program& program = state_.program();
  for (std::uint32_t i = 0; i < table.member_count; ++i) {
    const Member& m = program.members[table.members + i];
    const bool missing = m.required_bit != kNone && ((present >> m.required_bit) & 1U) == 0;
    if (missing) state_.fail({Code::kRequired, 0, 0, 0}, f, program.view(m.name));
  }
  return false;
}

bool ObjectRules::more_required(const MemberTable& table, const Frame& f) const {
  const Program& program = state_.program();
  bool good = true;
  for (std::uint32_t i = 0; i < table.more_required_count; ++i) {
    const std::string_view name = program.view(program.names[table.more_required + i]);
    if (state_.has_member(f.value, name)) continue;
    good = state_.fail({Code::kRequired, 0, 0, 0}, f, name);
    if (!state_.reports()) return false;
  }
  return good;
}

bool ObjectRules::property_names(const Op& op, const Frame& f) const {
  bool good = true;
  for (const auto& m : f.value.GetObject()) {
    const Path path{f.path, view(m.name), 0, true, true};
    good = runner_.run(op.a, Frame{m.name, &path, f.scope, f.secret}) && good;
    if (!good && !state_.reports()) return false;
  }
  return good;
}

bool ObjectRules::dependent_required(const Op& op, const Frame& f) const {
  const Program& program = state_.program();
  bool good = true;
  for (std::uint32_t i = 0; i < op.b; ++i) {
    const Dependency& rule = program.dependencies[op.a + i];
    if (!state_.has_member(f.value, program.view(rule.name))) continue;
    for (std::uint32_t k = 0; k < rule.count; ++k) {
      const std::string_view name = program.view(program.names[rule.first + k]);
      // The finding names the member that requires the missing one.
      if (!state_.has_member(f.value, name)) {
        good = state_.fail({op.code, op.a + i, 1, 0}, f, name);
      }
      if (!good && !state_.reports()) return false;
    }
  }
  return good;
}

bool ObjectRules::dependent_schemas(const Op& op, const Frame& f) const {
  if (!f.value.IsObject()) return true;
  const Program& program = state_.program();
  bool good = true;
  for (std::uint32_t i = 0; i < op.b; ++i) {
    const Dependency& rule = program.dependencies[op.a + i];
    if (!state_.has_member(f.value, program.view(rule.name))) continue;
    good = runner_.run(rule.first, f) && good;
    if (!good && !state_.reports()) return false;
  }
  return good;
}

bool ObjectRules::unevaluated(std::uint32_t node, const Frame& f) const {
  bool good = true;
  std::size_t position = 0;
  for (const auto& m : f.value.GetObject()) {
    if (f.seen->has(position++)) continue;
    good = run_rest(node, Code::kUnevaluatedProperties, m, f) && good;
    if (!good && !state_.reports()) return false;
  }
  f.seen->mark_all();
  return good;
}

}  // namespace gantry::schema::detail
