#include "compile/keywords.hpp"

namespace gantry::schema::detail {
namespace {

// $ref: a is the node. $dynamicRef: a is the node if no outer resource redefines the anchor, b the
// anchor's index in Program::dynamic_anchors; without such an anchor it is compiled as $ref.
Status references(Assembler& assembler, Site& site) {
  for (const bool dynamic : {false, true}) {
    const Json* reference = find(site.schema, dynamic ? "$dynamicRef" : "$ref");
    if (reference == nullptr) continue;
    Result<Target> target = assembler.resolve(site.place, view(*reference));
    if (!target) return target.status();
    if (dynamic && !target->dynamic_anchor.empty()) {
      const std::uint32_t anchor = assembler.dynamic_anchor(target->dynamic_anchor);
      site.emit(kAnything, {Code::kDynamicRef, target->place, anchor, 0});
    } else {
      site.emit(kAnything, {Code::kRef, target->place, 0, 0});
    }
  }
  return Status::ok();
}

// a, b, c are the nodes of if, then and else (kNone if absent).
void conditional(const Assembler& assembler, Site& site) {
  const Json* condition = find(site.schema, "if");
  if (condition == nullptr) return;
  const auto branch = [&](const char* keyword) {
    const Json* schema = find(site.schema, keyword);
    return schema != nullptr ? assembler.node_of(*schema) : kNone;
  };
  site.emit(kAnything, {Code::kIf, assembler.node_of(*condition), branch("then"), branch("else")});
}

// Operands of the lists: a, b are first and count in Program::children. not: a is the node.
void combinations(Assembler& assembler, Site& site) {
  const auto list = [&](const char* keyword, Code code) {
    const Json* schemas = find(site.schema, keyword);
    if (schemas != nullptr) site.emit(kAnything, assembler.list_op(code, *schemas));
  };
  list("allOf", Code::kAllOf);
  list("anyOf", Code::kAnyOf);
  list("oneOf", Code::kOneOf);
  if (const Json* schema = find(site.schema, "not")) {
    site.emit(kAnything, {Code::kNot, assembler.node_of(*schema), 0, 0});
  }
}

}  // namespace

Status logic_keywords(Assembler& assembler, Site& site) {
  if (Status s = references(assembler, site); !s) return s;
  combinations(assembler, site);
  conditional(assembler, site);
  return Status::ok();
}

}  // namespace gantry::schema::detail
