// Runs a program over one instance. One Runner per check, on one thread.
//
// Without a sink the first failure ends the run and nothing is allocated. With a sink every failure
// is described, and the run continues where further findings are useful.
#pragma once

#include <cstdint>
#include <string_view>

#include <rapidjson/document.h>

#include "evaluated.hpp"
#include "program.hpp"
#include "regex.hpp"

namespace gantry::schema::detail {

using Json = rapidjson::Value;
class Sink;

// The place of a frame in the instance; a linked list on the stack.
struct Path {
  const Path* up = nullptr;
  std::string_view name;       // of a member, when `is_name`
  std::uint32_t position = 0;  // of an element otherwise
  bool is_name = false;
  bool is_key = false;  // the member's name itself is checked
};

// The resources entered so far, innermost first; $dynamicRef searches them.
struct Scope {
  const Scope* up = nullptr;
  std::uint32_t resource = 0;
};

struct Frame {
  const Json& value;
  const Path* path = nullptr;
  const Scope* scope = nullptr;
  bool secret = false;        // the value, or one that contains it, must not be quoted
  Evaluated* seen = nullptr;  // evaluated members are marked here; null: not needed
  std::uint32_t node = 0;
};

class Runner {
 public:
  Runner(const Program& program, Sink* sink)
      : program_(program), sink_(sink), steps_(program.max_steps) {}

  // Whether `instance` satisfies the root schema, within the limits.
  bool check(const Json& instance);
  // The limit that ended the run, or null.
  const char* stopped() const { return stopped_; }

 private:
  // Applies a node to f.value (f.node is ignored).
  bool run(std::uint32_t node, const Frame& f);
  bool run_scoped(const Node& node, Frame& f, Group group);
  bool run_unevaluated(const Node& node, const Frame& f, Group group);
  bool run_groups(const Node& node, const Frame& f, Group group);
  bool run_range(std::uint32_t from, std::uint32_t to, const Frame& f);
  bool execute(const Op& op, const Frame& f);
  // Runs a branch without reporting its failures.
  bool try_run(std::uint32_t node, const Frame& f);

  bool number_op(const Op& op, const Frame& f);
  bool string_op(const Op& op, const Frame& f);
  bool matches(std::uint32_t regex, std::string_view text);

  bool unique_items(const Op& op, const Frame& f);
  bool prefix_items(const Op& op, const Frame& f);
  bool items(const Op& op, const Frame& f);
  bool contains(const Op& op, const Frame& f);
  bool unevaluated_items(const Node& node, const Frame& f);
  bool run_element(std::uint32_t node, std::uint32_t position, const Frame& f);

  bool members(const Op& op, const Frame& f);
  bool member(const MemberTable& table, const Json::Member& m, std::size_t position, const Frame& f,
              std::uint64_t& present);
  bool more_required(const MemberTable& table, const Frame& f);
  bool report_missing(const MemberTable& table, const Frame& f, std::uint64_t present);
  const Member* find_member(const MemberTable& table, std::string_view name);
  bool property_names(const Op& op, const Frame& f);
  bool dependent_required(const Op& op, const Frame& f);
  bool dependent_schemas(const Op& op, const Frame& f);
  bool unevaluated_properties(const Node& node, const Frame& f);
  bool run_member(std::uint32_t node, const Json::Member& m, const Frame& f);
  bool has_member(const Json& object, std::string_view name);

  bool constant(const Op& op, const Frame& f);
  bool enumeration(const Op& op, const Frame& f);
  bool dynamic_ref(const Op& op, const Frame& f);
  bool all_of(const Op& op, const Frame& f);
  bool any_of(const Op& op, const Frame& f);
  bool one_of(const Op& op, const Frame& f);
  bool negation(const Op& op, const Frame& f);
  bool condition(const Op& op, const Frame& f);
  bool run_branch(std::uint32_t node, const Frame& f);
  bool report_branches(const Op& op, const Frame& f);

  bool equal(const Json& a, const Json& b, std::uint32_t depth);
  bool equal_objects(const Json& a, const Json& b, std::uint32_t depth);
  std::uint64_t hash(const Json& value, std::uint32_t depth);
  bool unique_by_hash(const Json& list);

  bool spend(std::uint64_t steps);
  bool stop(const char* why);
  // Reports to the sink, if there is one; returns false.
  bool fail(const Op& op, const Frame& f, std::string_view name = {});

  const Program& program_;
  Sink* sink_;
  Matcher matcher_;
  std::uint64_t steps_;
  std::uint32_t depth_ = 0;
  const char* stopped_ = nullptr;
};

}  // namespace gantry::schema::detail
