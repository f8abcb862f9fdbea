#include "ops/selection.hpp"

#include <algorithm>
#include <tuple>

#include "catalog/floor.hpp"
#include "errors/query_error.hpp"
#include "filter/columns/refusal.hpp"

namespace gantry::data {
namespace {

constexpr int kMaxIncludeDepth = 5;

// The requested fields as a tree of names, before they are looked up.
struct FieldTree {
  struct Below;
  std::vector<Below> below;  // in the requested order
  bool whole = false;        // requested itself, not only paths below it
  bool included = false;     // by `include`

  FieldTree& child(std::string_view name);
};
struct FieldTree::Below {
  std::string name;
  FieldTree wanted;
};

FieldTree& FieldTree::child(std::string_view name) {
  for (Below& known : below) {
    if (known.name == name) return known.wanted;
  }
  return below.emplace_back(Below{std::string(name), {}}).wanted;
}

std::pair<std::string_view, std::string_view> split(std::string_view path) {
  const auto dot = path.find('.');
  if (dot == std::string_view::npos) return {path, {}};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

// A field's name may contain dots; such a name is matched as a whole.
void want_key(FieldTree& root, std::string_view key, const ClassView& cls) {
  if (cls.find(key) != nullptr) {
    root.child(key).whole = true;
    return;
  }
  FieldTree* at = &root;
  for (auto [name, rest] = split(key);; std::tie(name, rest) = split(rest)) {
    at = &at->child(name);
    if (rest.empty()) break;
  }
  at->whole = true;
}

void want_include(FieldTree& root, std::string_view path) {
  FieldTree* at = &root;
  for (auto [name, rest] = split(path);; std::tie(name, rest) = split(rest)) {
    at = &at->child(name);
    at->included = true;
    if (rest.empty()) return;
  }
}

void add_json_paths(JsonPaths& paths, const FieldTree& wanted) {
  for (const auto& [name, below] : wanted.below) {
    if (below.whole) {
      paths.below[name];  // stays empty: the whole field
    } else {
      add_json_paths(paths.below[name], below);
    }
  }
}

class SelectionBuilder {
 public:
  SelectionBuilder(const ReadContext& context, bool with_nulls)
      : scope_(context.scope),
        is_plain_(context.settings.row_form == JsonDialect::plain),
        with_nulls_(with_nulls) {}

  // `all`: the caller gave no keys for this class, so every visible field is returned.
  Selection build(const FieldTree& wanted, const ClassView& cls, bool all, int depth) {
    Selection selection;
    selection.cls = &cls;
    selection.with_nulls = !is_plain_ || !all || with_nulls_;
    if (!is_plain_) selection.common = {cls.id_alias(), kDateRoles[0], kDateRoles[1]};
    if (is_plain_ && all && cls.id_name() == cls.id_alias()) selection.common = {cls.id_alias()};
    if (all) {
      for (const FieldView& field : cls.fields) selection.fields.push_back(&field);
    }
    for (const auto& [name, below] : wanted.below) add(selection, name, below, depth);
    return selection;
  }

 private:
  void add(Selection& selection, const std::string& name, const FieldTree& wanted, int depth) {
    const FieldView* const field = selection.cls->find(name);
    if (field == nullptr) {
      const bool plain = wanted.below.empty() && !wanted.included;
      const ClassView& cls = *selection.cls;
      if (plain && cls.is_id_alias(name)) return add_common(selection, cls.id_alias());
      if (plain && is_common_field(name)) return add_common(selection, name);
      columns::refuse_field(name, *selection.cls);
    }
    if (field->kind == Kind::pointer && (wanted.included || !wanted.below.empty())) {
      include(selection, *field, wanted, depth);
    } else if (wanted.included) {
      throw QueryError(
          invalid_argument("include: field '" + name + "' of class '" + selection.cls->name +
                           "' is no pointer; pointers: " + pointers_of(*selection.cls)));
    } else if (!wanted.below.empty() && !wanted.whole) {
      part(selection, *field, wanted);
      return;
    }
    add_whole(selection, *field);
  }

  static void add_common(Selection& selection, std::string_view name) {
    for (const std::string_view known : {kObjectId, kDocumentId, kDateRoles[0], kDateRoles[1]}) {
      if (known != name) continue;
      auto& common = selection.common;
      if (std::find(common.begin(), common.end(), known) == common.end()) common.push_back(known);
    }
  }

  static void add_whole(Selection& selection, const FieldView& field) {
    const auto same = [&](const FieldView* known) { return known == &field; };
    if (std::none_of(selection.fields.begin(), selection.fields.end(), same)) {
      selection.fields.push_back(&field);
    }
  }

  static void part(Selection& selection, const FieldView& field, const FieldTree& wanted) {
    if (!field.json) {
      throw QueryError("keys: field '" + field.name + "' of class '" + selection.cls->name +
                       "' holds no JSON, so there is nothing below it; ask for '" + field.name +
                       "'");
    }
    const auto same = [&](const FieldView* known) { return known == &field; };
    if (std::any_of(selection.fields.begin(), selection.fields.end(), same)) return;
    refuse_internal(selection, field.name, wanted);
    JsonPaths paths;
    add_json_paths(paths, wanted);
    selection.parts.emplace_back(&field, std::move(paths));
  }

  static void refuse_internal(const Selection& selection, const std::string& path,
                              const FieldTree& wanted) {
    for (const auto& [name, below] : wanted.below) {
      const std::string inner = path + "." + name;
      if (is_internal_field(name)) columns::refuse_field(inner, *selection.cls);
      refuse_internal(selection, inner, below);
    }
  }

  void include(Selection& selection, const FieldView& field, const FieldTree& wanted, int depth) {
    if (depth >= kMaxIncludeDepth) {
      throw QueryError(invalid_argument("include: paths are at most " +
                                        std::to_string(kMaxIncludeDepth) + " pointers deep"));
    }
    const ClassView* target = scope_.open(field.target_class);
    if (target == nullptr) return;  // stays a redacted pointer
    const bool keyed = std::any_of(wanted.below.begin(), wanted.below.end(), [](const auto& it) {
      return it.wanted.whole || (!it.wanted.included && !it.wanted.below.empty());
    });
    Selection& included = selection.includes[field.name];
    included = build(wanted, *target, !keyed || wanted.whole, depth + 1);
    const bool is_bare = depth == 0 && wanted.whole && wanted.included && wanted.below.empty();
    if (is_bare) narrow(selection, field.name, included);
  }

  static void narrow(Selection& selection, const std::string& pointer, Selection& included) {
    const auto narrowing = IncludeNarrowing::of(*included.cls);
    if (!narrowing) return;
    std::erase_if(included.fields,
                  [&](const FieldView* field) { return !narrowing->keeps(field->name); });
    selection.narrowed.push_back({pointer, narrowing->dropped()});
  }

  static std::string pointers_of(const ClassView& cls) {
    std::string names;
    for (const FieldView& field : cls.fields) {
      if (field.kind == Kind::pointer) names += (names.empty() ? "" : ", ") + field.name;
    }
    return names.empty() ? "it has none" : names;
  }

  const Scope& scope_;
  const bool is_plain_, with_nulls_;
};

}  // namespace

Selection Selection::without(std::string_view field) const {
  Selection rest = *this;
  std::erase(rest.common, field);
  std::erase_if(rest.fields, [&](const FieldView* f) { return f->name == field; });
  std::erase_if(rest.parts, [&](const auto& part) { return part.first->name == field; });
  if (const auto it = rest.includes.find(field); it != rest.includes.end()) rest.includes.erase(it);
  return rest;
}

Selection select_fields(const ReadContext& context, const ClassView& cls, const Shape& shape) {
  FieldTree wanted;
  for (const std::string_view key : shape.keys) want_key(wanted, key, cls);
  for (const std::string_view path : shape.includes) want_include(wanted, path);
  try {
    return SelectionBuilder(context, shape.with_nulls).build(wanted, cls, shape.keys.empty(), 0);
  } catch (const QueryError& error) {
    throw QueryError(of_argument(error.error()));
  }
}

}  // namespace gantry::data
