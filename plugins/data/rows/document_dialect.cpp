#include "rows/document_dialect.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "values/iso_date.hpp"
#include "values/spending.hpp"
#include "view/class_view.hpp"

namespace gantry::data {
namespace {

bool is_timestamp(const Member& member) {
  return is_date_role(member.name) && member.value.is_date() &&
         fits_iso_date(member.value.integer());
}

Value iso_text(std::int64_t milliseconds) {
  std::string text;
  append_iso_date(milliseconds, text);
  return Value::string(std::move(text));
}

// Whether a class's document begins with both names of its id.
bool has_alias(const Members& members) {
  return members.size() >= 2 && members[0].name == "_id" && members[1].name == "objectId" &&
         members[0].value.is_string() && members[0].value == members[1].value;
}

// Converts a value in two passes: the first finds the parts that need a change, the second changes
// those and leaves the others shared.
class DialectConversion {
 public:
  void operator()(Value& value) {
    notes_.clear();
    at_ = 0;
    if (look(value)) change(value);
  }

 private:
  // The result of the first pass for one array or object, in visiting order.
  struct Note {
    std::uint32_t end = 0;  // index after the notes of its content
    bool needs = false;
  };

  static bool is_container(const Value& value) { return value.is_array() || value.is_object(); }

  bool look(const Value& value) {
    if (!is_container(value)) return false;
    const std::size_t at = notes_.size();
    notes_.push_back({});
    const bool needs = value.is_array() ? look(value.elements()) : look(value.members());
    notes_[at] = {static_cast<std::uint32_t>(notes_.size()), needs};
    return needs;
  }
  bool look(const Array& elements) {
    bool needs = false;
    for (const Value& element : elements) {
      step_();
      if (look(element)) needs = true;
    }
    return needs;
  }
  bool look(const Members& members) {
    bool needs = has_alias(members);
    for (const Member& member : members) {
      step_();
      if (is_timestamp(member) || look(member.value)) needs = true;
    }
    return needs;
  }

  void change(Value& value) {
    if (!is_container(value)) return;
    const Note note = notes_[at_++];
    if (!note.needs) {
      at_ = note.end;
    } else if (value.is_array()) {
      for (Value& element : value.own_elements()) step_(), change(element);
    } else {
      change(value.own_members());
    }
  }
  void change(Members& members) {
    for (Member& member : members) {
      step_();
      if (is_timestamp(member)) {
        member.value = iso_text(member.value.integer());
      } else {
        change(member.value);
      }
    }
    if (has_alias(members)) members.erase(members.begin());
  }

  std::vector<Note, Metered<Note>> notes_;
  std::size_t at_ = 0;
  SmallSteps step_;
};

// Removes the alias _id from a class's document.
void rename_id(Value& document) {
  if (document.find("_id").is_missing()) return;
  Members& members = document.own_members();
  const auto id = std::find_if(members.begin(), members.end(),
                               [](const Member& member) { return member.name == "_id"; });
  const bool has_both = std::any_of(members.begin(), members.end(),
                                    [](const Member& member) { return member.name == "objectId"; });
  if (has_both) {
    members.erase(id);
  } else {
    id->name = "objectId";
  }
}

}  // namespace

void apply_dialect(Array& documents, bool is_own) {
  DialectConversion dialect;
  for (Value& document : documents) {
    Spending::step_current();
    if (!is_own) rename_id(document);
    dialect(document);
  }
}

}  // namespace gantry::data
