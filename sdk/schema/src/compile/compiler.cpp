#include "compile/compiler.hpp"

#include "compile/keywords.hpp"

namespace gantry::schema::detail {
namespace {

// Appends the node, with its instructions by group.
void finish_node(Site& site, Program& program) {
  Node& node = site.node;
  for (std::size_t group = 0; group < kGroups; ++group) {
    node.ends[group] = static_cast<std::uint32_t>(program.ops.size());
    const auto& ops = site.groups[group];
    program.ops.insert(program.ops.end(), ops.begin(), ops.end());
  }
  node.ends[kGroups] = static_cast<std::uint32_t>(program.ops.size());
  node.accepts_all = node.types == kAnyType && node.ends[0] == node.ends[kGroups] &&
                     node.unevaluated_items == kNone && node.unevaluated_properties == kNone;
  program.nodes.push_back(node);
  program.locations.push_back(site.location);
}

Status emit_node(Assembler& assembler, const Place& at, std::uint32_t place) {
  Site site{*at.schema, place, at.location, {}, {}};
  site.node.resource = at.resource;
  if (at.schema->IsFalse()) {
    site.node.types = 0;
    site.node.rejects_all = true;
  }
  if (at.schema->IsObject()) {
    if (Status s = scalar_keywords(assembler, site); !s) return s;
    array_keywords(assembler, site);
    if (Status s = object_keywords(assembler, site); !s) return s;
    if (Status s = logic_keywords(assembler, site); !s) return s;
  }
  finish_node(site, assembler.program());
  return Status::ok();
}

// Finds a schema that applies itself to the same instance, which would never end. Depth-first
// without recursion: a chain may contain all schemas of the document.
class LoopSearch {
 public:
  explicit LoopSearch(const Program& program)
      : program_(program), colors_(program.nodes.size(), Color::kNew) {}

  Status refuse_loops() {
    for (std::uint32_t start = 0; start < colors_.size(); ++start) {
      stack_.push_back(start);
      while (!stack_.empty()) {
        if (!step()) {
          return bad_schema(program_.locations[stack_.back()],
                            "applies itself to the same value again and would never end");
        }
      }
    }
    return Status::ok();
  }

 private:
  enum class Color : std::uint8_t { kNew, kOpen, kDone };

  // Opens or closes the node on top of the stack; false if it begins a loop, which stays on top.
  bool step() {
    const std::uint32_t node = stack_.back();
    if (colors_[node] != Color::kNew) {
      colors_[node] = Color::kDone;
      stack_.pop_back();
      return true;
    }
    colors_[node] = Color::kOpen;
    const std::size_t top = stack_.size();
    bool loop = false;
    in_place(program_.nodes[node], [&](std::uint32_t next) {
      loop = loop || colors_[next] == Color::kOpen;
      if (colors_[next] == Color::kNew) stack_.push_back(next);
    });
    if (loop) stack_.resize(top);
    return !loop;
  }

  // Calls `visit` with every node that applies to the same instance as `node`.
  template <class Visit>
  void in_place(const Node& node, Visit visit) const {
    for (std::uint32_t i = node.ends[kObjects]; i < node.ends[kGroups]; ++i) {
      const Op& op = program_.ops[i];
      if (op.code == Code::kRef || op.code == Code::kNot || op.code == Code::kIf) visit(op.a);
      if (op.code == Code::kAllOf || op.code == Code::kAnyOf || op.code == Code::kOneOf) {
        for (std::uint32_t k = 0; k < op.b; ++k) visit(program_.children[op.a + k]);
      }
      if (op.code == Code::kIf && op.b != kNone) visit(op.b);
      if (op.code == Code::kIf && op.c != kNone) visit(op.c);
      if (op.code == Code::kDependentSchemas) {
        for (std::uint32_t k = 0; k < op.b; ++k) visit(program_.dependencies[op.a + k].first);
      }
    }
  }

  const Program& program_;
  std::vector<Color> colors_;
  std::vector<std::uint32_t> stack_;
};

}  // namespace

void Site::emit_count(Group group, const char* keyword, Code code) {
  const Json* value = find(schema, keyword);
  if (value == nullptr) return;
  const Number n = Number::of(*value);
  Number top;
  top.i = kNone - 1;
  std::uint32_t bound = kNone - 1;
  if (compare(n, top) < 0) bound = static_cast<std::uint32_t>(value->GetDouble());
  emit(group, {code, bound, 0, 0});
}

Status compile(Index& index, Program& program) {
  program.literals.SetArray();
  Assembler assembler(program, index);
  for (std::uint32_t place = 0; place < index.places().size(); ++place) {
    if (Status s = emit_node(assembler, index.places()[place], place); !s) return s;
  }
  assembler.fill_dynamic_anchors();
  return LoopSearch(program).refuse_loops();
}

}  // namespace gantry::schema::detail
