#include "ops/selection.hpp"

#include <algorithm>
#include <tuple>

#include "errors/query_error.hpp"
#include "where/refusal.hpp"

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
void want_key(FieldTree& root, std::string_view key, const ClassInfo& cls, const Scope& scope) {
  if (scope.find_field(cls, key) != nullptr) {
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

class Builder {
 public:
  explicit Builder(const Scope& scope) : scope_(scope) {}

  // `all`: the caller gave no keys for this class, so every visible field is returned.
  Selection build(const FieldTree& wanted, const ClassInfo& cls, bool all, int depth) {
    Selection selection;
    selection.cls = &cls;
    if (all) selection.fields = scope_.visible_fields(cls);
    for (const auto& [name, below] : wanted.below) add(selection, name, below, depth);
    return selection;
  }

 private:
  void add(Selection& selection, const std::string& name, const FieldTree& wanted, int depth) {
    const Field* field = scope_.find_field(*selection.cls, name);
    if (field == nullptr) {
      const bool plain = wanted.below.empty() && !wanted.included;
      if (is_common_field(name) && plain) return;  // always returned
      where::refuse_field(name, *selection.cls, scope_);
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

  static void add_whole(Selection& selection, const Field& field) {
    const auto same = [&](const Field* known) { return known == &field; };
    if (std::none_of(selection.fields.begin(), selection.fields.end(), same)) {
      selection.fields.push_back(&field);
    }
  }

  void part(Selection& selection, const Field& field, const FieldTree& wanted) {
    if (!field.json && field.kind != Kind::object && field.kind != Kind::array) {
      throw QueryError("keys: field '" + field.name + "' of class '" + selection.cls->name +
                       "' holds no JSON, so there is nothing below it; ask for '" + field.name +
                       "'");
    }
    const auto same = [&](const Field* known) { return known == &field; };
    if (std::any_of(selection.fields.begin(), selection.fields.end(), same)) return;
    refuse_internal(selection, field.name, wanted);
    JsonPaths paths;
    add_json_paths(paths, wanted);
    selection.parts.emplace_back(&field, std::move(paths));
  }

  void refuse_internal(const Selection& selection, const std::string& path,
                       const FieldTree& wanted) const {
    for (const auto& [name, below] : wanted.below) {
      const std::string inner = path + "." + name;
      if (is_internal_field(name)) where::refuse_field(inner, *selection.cls, scope_);
      refuse_internal(selection, inner, below);
    }
  }

  void include(Selection& selection, const Field& field, const FieldTree& wanted, int depth) {
    if (depth >= kMaxIncludeDepth) {
      throw QueryError(invalid_argument("include: paths are at most " +
                                        std::to_string(kMaxIncludeDepth) + " pointers deep"));
    }
    const ClassInfo* target = scope_.find_class(field.target_class);
    if (target == nullptr) return;  // stays a redacted pointer
    const bool keyed = std::any_of(wanted.below.begin(), wanted.below.end(), [](const auto& it) {
      return it.wanted.whole || (!it.wanted.included && !it.wanted.below.empty());
    });
    selection.includes[field.name] = build(wanted, *target, !keyed || wanted.whole, depth + 1);
  }

  std::string pointers_of(const ClassInfo& cls) const {
    std::string names;
    for (const Field* field : scope_.visible_fields(cls)) {
      if (field->kind == Kind::pointer) names += (names.empty() ? "" : ", ") + field->name;
    }
    return names.empty() ? "it has none" : names;
  }

  const Scope& scope_;
};

}  // namespace

Selection Selection::without(std::string_view field) const {
  Selection rest = *this;
  std::erase_if(rest.fields, [&](const Field* f) { return f->name == field; });
  std::erase_if(rest.parts, [&](const auto& part) { return part.first->name == field; });
  if (const auto it = rest.includes.find(field); it != rest.includes.end()) rest.includes.erase(it);
  return rest;
}

Outcome<Selection> select_fields(const Request& request, const ClassInfo& cls,
                                 const std::vector<std::string>& more_keys) {
  auto keys = optional_strings(request, "keys", kMostKeyArguments);
  if (!keys) return keys.error();
  keys->insert(keys->end(), more_keys.begin(), more_keys.end());
  auto include = optional_strings(request, "include", kMostIncludes);
  if (!include) return include.error();
  FieldTree wanted;
  for (const std::string_view key : *keys) want_key(wanted, key, cls, request.scope);
  for (const std::string_view path : *include) want_include(wanted, path);
  try {
    return Builder(request.scope).build(wanted, cls, keys->empty(), 0);
  } catch (const QueryError& error) {
    return of_argument(error.error());
  }
}

}  // namespace gantry::data
