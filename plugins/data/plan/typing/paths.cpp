#include "plan/typing/paths.hpp"

#include <algorithm>

#include "filter/columns/refusal.hpp"
#include "policy/internal.hpp"
#include "values/utf8.hpp"

namespace gantry::data::typing {
namespace {

using Kind = Type::Kind;

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto dot = path.find('.');
    parts.push_back(path.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    path.remove_prefix(dot + 1);
  }
}

bool is_index(std::string_view part) {
  return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string joined_name(std::string path) {
  for (auto dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot)) {
    path.replace(dot, 1, "->");
  }
  return is_joined_name(path) ? path + ">" : path + "->";
}

}  // namespace

void Joins::want(Join join, std::string_view field) {
  const auto known =
      std::find_if(list_.begin(), list_.end(), [&](const Join& one) { return one.as == join.as; });
  Join& wanted = known != list_.end() ? *known : list_.emplace_back(std::move(join));
  wanted.fields.emplace(field);
}

// One path on its way through the types.
class PathReader::Walk {
 public:
  Walk(const PathReader& reader, std::string_view path)
      : reader_(reader), asked_(path), at_(reader.root_) {}

  Place run() {
    const auto parts = parts_of(asked_);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].empty()) return {std::string(asked_), any_type()};
      const bool is_known = step(parts[i], i == 0);
      if (is_known) continue;
      for (std::size_t left = i + (is_taken_ ? 1 : 0); left < parts.size(); ++left) {
        append(parts[left]);
      }
      return {std::move(out_), any_type()};
    }
    return {std::move(out_), is_list_ ? array_of(at_) : at_};
  }

 private:
  void append(std::string_view part) {
    if (!out_.empty()) out_ += '.';
    out_ += part;
  }

  // False: nothing is known of what follows.
  bool step(std::string_view part, bool is_root) {
    is_taken_ = false;
    while (at_->is(Kind::array)) {
      at_ = at_->element;
      if (is_index(part)) return append(part), true;
      is_list_ = true;
    }
    if (at_->is(Kind::key)) return follow(part);
    if (at_->is(Kind::object)) return enter(part, is_root);
    if (at_->is(Kind::any) || at_->column == nullptr) return false;
    columns::refuse("Nothing lies below field '" + at_->column->name + "', which is " +
                    described(*at_) + "; the path '" + clipped(asked_) + "' leads nowhere.");
  }

  bool enter(std::string_view part, bool is_root) {
    const std::string_view name = real_name(*at_, part);
    TypePtr type = member(*at_, name);
    if (!type && !is_root && at_->cls != nullptr && at_->members.count(name) == 0) {
      columns::refuse_field(part, *at_->cls);
    }
    append(name);
    is_taken_ = true;
    if (!type) return false;
    at_ = std::move(type);
    return true;
  }

  bool follow(std::string_view part) {
    const ClassView* const target = reader_.scope_.open(at_->target);
    if (target == nullptr || target->is_open()) return false;
    if (names_internal(part)) columns::refuse_field(part, *target);
    const TypePtr object = document_of(target);
    if (real_name(*object, part) == at_->target_field) return true;  // the key itself
    if (at_->target_field.empty()) return false;
    join(part, *target);
    at_ = object;
    return enter(part, false);
  }

  void join(std::string_view part, const ClassView& target) {
    if (reader_.joins_ == nullptr || is_list_) {
      columns::refuse("'" + clipped(asked_) + "' cannot follow the pointer to '" + target.name +
                      "' here" +
                      (is_list_ ? ", inside of an array; put an $unwind of the array before it."
                                : "; compute it before, with $set: {\"name\": \"$…\"}."));
    }
    if (++hops_ > kMostHops) {
      columns::refuse("'" + clipped(asked_) + "' follows more than " + std::to_string(kMostHops) +
                      " pointers; join the rest with $lookup.");
    }
    const TypePtr object = document_of(&target);
    std::string as = joined_name(out_);
    reader_.joins_->want({as, out_, &target, at_->target_field, {}}, real_name(*object, part));
    out_ = std::move(as);
  }

  const PathReader& reader_;
  const std::string_view asked_;
  TypePtr at_;
  std::string out_;
  bool is_list_ = false;
  bool is_taken_ = false;  // step() has appended its part
  int hops_ = 0;
};

Origin origin_of(const Place& place, const Type& root) {
  const Type& type = compared(*place.type);
  if (type.column != nullptr) return {type.owner, type.column->name};
  const std::string_view first = first_of(place.path);
  const bool is_whole = root.is(Kind::object) && root.cls != nullptr && !root.is_cut &&
                        root.members.count(first) == 0;
  return is_whole ? Origin{root.cls, place.path} : Origin{};
}

std::string gone(const Type& root, std::string_view path) {
  const std::string_view first = first_of(path);
  const bool is_listed = root.is(Kind::object) && !root.is_open &&
                         (root.cls == nullptr || root.is_cut) && !root.members.empty();
  if (!is_listed || first.empty() || member(root, real_name(root, first)) != nullptr) return {};
  std::string names, meant;
  for (const auto& [name, type] : root.members) {
    if (!type || is_joined_name(name)) continue;
    names += (names.empty() ? "" : ", ") + name;
    if (name == "_id" && type->column != nullptr && type->column->name == first) meant = "_id";
    if (name == "_id" && type->is(Kind::object) && type->members.count(first) > 0) {
      meant = "_id." + std::string(first);
    }
  }
  std::string sentence = "The documents have the fields " + clipped(names) +
                         " here, after the stages before, and no '" + clipped(first) + "'";
  if (!meant.empty()) sentence += "; did you mean '" + meant + "'?";
  return meant.empty() ? sentence + "." : sentence;
}

Place PathReader::read(std::string_view path) const { return Walk(*this, path).run(); }

}  // namespace gantry::data::typing
