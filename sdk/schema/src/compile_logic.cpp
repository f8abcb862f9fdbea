// References and the keywords that combine schemas.
#include "compile.hpp"

namespace gantry::schema::detail {

// $ref: a is the node. $dynamicRef: a is the node if no outer resource redefines the anchor, b the
// anchor's index in Program::dynamic_anchors; without such an anchor it is compiled as $ref.
Status Builder::references(Site& site) {
  for (const bool dynamic : {false, true}) {
    const Json* reference = find(site.schema, dynamic ? "$dynamicRef" : "$ref");
    if (reference == nullptr) continue;
    Result<Target> target = index_.resolve(site.place, view(*reference));
    if (!target) return target.status();
    if (dynamic && !target->dynamic_anchor.empty()) {
      const std::uint32_t anchor = dynamic_anchor(target->dynamic_anchor);
      site.emit(kAnything, {Code::kDynamicRef, target->place, anchor, 0});
    } else {
      site.emit(kAnything, {Code::kRef, target->place, 0, 0});
    }
  }
  return Status::ok();
}

std::uint32_t Builder::dynamic_anchor(const std::string& name) {
  const auto number = static_cast<std::uint32_t>(anchor_numbers_.size());
  return anchor_numbers_.emplace(name, number).first->second;
}

// Operands of the lists: a, b are first and count in Program::children. not: a is the node. if: a,
// b, c are the nodes of if, then and else (kNone if absent).
void Builder::applicators(Site& site) {
  const auto list = [&](const char* keyword, Code code) {
    const Json* schemas = find(site.schema, keyword);
    if (schemas != nullptr) site.emit(kAnything, list_op(code, *schemas));
  };
  list("allOf", Code::kAllOf);
  list("anyOf", Code::kAnyOf);
  list("oneOf", Code::kOneOf);
  if (const Json* schema = find(site.schema, "not")) {
    site.emit(kAnything, {Code::kNot, node_of(*schema), 0, 0});
  }
  if (const Json* condition = find(site.schema, "if")) {
    const Json* then_schema = find(site.schema, "then");
    const Json* else_schema = find(site.schema, "else");
    site.emit(kAnything, {Code::kIf, node_of(*condition),
                          then_schema != nullptr ? node_of(*then_schema) : kNone,
                          else_schema != nullptr ? node_of(*else_schema) : kNone});
  }
}

}  // namespace gantry::schema::detail
