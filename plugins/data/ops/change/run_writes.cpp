#include "ops/change/run_writes.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "errors/query_error.hpp"
#include "ops/change/consequences.hpp"
#include "ops/change/recorder.hpp"
#include "ops/change/refusals.hpp"
#include "ops/change/row_change.hpp"
#include "ops/change/transaction.hpp"
#include "ops/change/versions.hpp"
#include "ops/read_arguments.hpp"
#include "values/json_text.hpp"
#include "view/object_id.hpp"

namespace gantry::data {
namespace {

// What one write did, as the caller sees it.
struct Effect {
  std::string class_name, id;
  std::string before, after;       // plain JSON; empty: no object
  std::string shown;               // in the form of rows that was asked for
  std::vector<std::string> given;  // the fields that the caller gave
  std::string follows;             // differs where foreign keys change other rows
};

std::string flaw_of(const ClassView& cls, std::string_view id) {
  return cls.is_open() ? std::string() : parse_object_id(cls, id).message();
}

// An agent that may create objects need not be able to read them.
bool is_readable(const ClassView& shown) { return shown.refusal == RowRules::Refusal::none; }

std::string id_alone(const std::string& id) { return R"({"objectId":)" + quoted_json(id) + "}"; }

// A trigger removed the object, gave it another id, or moved it out of the agent's boundary.
DataError not_there(const ClassView& shown, const std::string& id) {
  return shown.boundary.empty() ? gone_object(shown, id) : outside_boundary(shown);
}

Place place_of(const ClassView& whole, const Changed& changed) {
  const std::vector<std::string> columns = place_columns(whole);
  if (!whole.rowid.empty()) return {{columns.front(), changed.row}};
  Place place;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    place.push_back({columns[i], changed.returned[i]});
  }
  return place;
}

bool is_among(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void append_image(const std::string& object, std::string& list) {
  if (!list.empty()) list += ',';
  list += object.empty() ? "null" : object;
}

class Run {
 public:
  Run(const Request& request, const Writes& writes, Edit& edit, Recorder& recorder)
      : request_(request), writes_(writes), session_(request, edit), recorder_(recorder) {
    const bool is_planned = !writes.expect.empty();
    if (writes.is_dry_run || is_planned) consequences_.emplace(request, edit);
    if (!is_planned) return;
    expected_ = read_versions(writes.expect);
    if (expected_->rows.size() != writes.list.size()) {
      throw QueryError(invalid_argument("'expect' belongs to another write"));
    }
    session_.expect_ids(expected_->ids);
  }

  // The effects, in the order of the writes.
  void run() {
    try {
      for (const Write& write : writes_.list) run_in_place(write);
      check_references();
    } catch (const QueryError&) {
      refuse_changed();
      throw;
    }
    refuse_changed();
  }

  // Before the end of the transaction.
  Reply dry_reply() const {
    std::string before, after;
    for (const Effect& effect : effects_) {
      append_image(effect.before, before);
      append_image(effect.after, after);
    }
    Reply reply{{},
                preview_json(effects_.size() + consequences_->rows(), before, after, versions(),
                             consequences_->json())};
    check_size(reply.meta);
    return reply;
  }

  Reply reply() const {
    Reply reply{"[", R"({"rows":)" + std::to_string(effects_.size()) + "}"};
    for (const Effect& effect : effects_) {
      if (reply.rows.size() > 1) reply.rows += ',';
      reply.rows += effect.shown;
    }
    reply.rows += ']';
    check_size(reply.rows);
    return reply;
  }

 private:
  void run_in_place(const Write& write) {
    try {
      effects_.push_back(effect_of(write));
      compare(effects_.back());
    } catch (const QueryError& error) {
      DataError placed = error.error();
      placed.message = write.place + placed.message;
      throw QueryError(std::move(placed));
    }
  }

  Effect effect_of(const Write& write) {
    const WrittenClass cls = session_.open(write.class_name, write.op);
    Effect effect{cls.shown.name, write.object_id, {}, {}, {}, {}, {}};
    if (write.op == ClassOp::create) {
      create(cls, write, effect);
      return effect;
    }
    const auto place = session_.find(cls.shown, write.object_id);
    if (!place) {
      if (expected_) note_changed(effect.class_name, effect.id);
      throw QueryError(
          no_such_object(cls.shown, write.object_id, flaw_of(cls.shown, write.object_id)));
    }
    effect.before = session_.image(cls.shown, write.object_id);
    if (!write.if_unchanged.empty() && version_of(effect.before) != write.if_unchanged) {
      note_changed(effect.class_name, effect.id);
    }
    if (!is_inside(cls.writable, *place)) {
      throw QueryError(unwritable_object(cls.shown, write.op));
    }
    if (write.op == ClassOp::remove) {
      if (consequences_) effect.follows = consequences_->of_deletion(cls.whole, *place);
      recorder_.removes(cls.whole, effect.id, *place);
      session_.run(delete_row(cls.whole, *place), cls);
      effect.shown = id_alone(effect.id);
    } else {
      update(cls, write, *place, effect);
    }
    return effect;
  }

  void create(const WrittenClass& cls, const Write& write, Effect& effect) {
    RowChange change = row_change(session_, cls, write, nullptr);
    check_document_id(cls, change);
    const Changed changed = session_.run(insert_row(cls.whole, change.values), cls);
    const Place place = place_of(cls.whole, changed);
    check_boundary(cls, place);
    effect.id = session_.id_at(cls.whole, place);
    recorder_.creates(cls.whole, effect.id, place);
    show(cls, effect);
    effect.given = std::move(change.given);
  }

  void update(const WrittenClass& cls, const Write& write, const Place& place, Effect& effect) {
    RowChange change = row_change(session_, cls, write, &place);
    if (consequences_) effect.follows = consequences_->of_change(cls.whole, place, change.values);
    recorder_.changes(cls.whole, effect.id, place, change.values);
    session_.run(update_row(cls.whole, change.values, place), cls);
    check_boundary(cls, place);
    show(cls, effect);
    effect.given = std::move(change.given);
  }

  void check_boundary(const WrittenClass& cls, const Place& place) const {
    const bool is_good =
        is_inside(cls.writable, place) && (!is_readable(cls.shown) || is_inside(cls.shown, place));
    if (!is_good) throw QueryError(outside_boundary(cls.shown));
  }

  // Where the agent sees every row of the class there is nothing to look up.
  bool is_inside(const ClassView& view, const Place& place) const {
    return view.boundary.empty() || session_.holds(view, place);
  }

  void show(const WrittenClass& cls, Effect& effect) const {
    const JsonDialect form = request_.settings.row_form;
    effect.after =
        is_readable(cls.shown) ? session_.image(cls.shown, effect.id) : id_alone(effect.id);
    if (effect.after.empty()) throw QueryError(not_there(cls.shown, effect.id));
    const bool is_plain = form == JsonDialect::plain || !is_readable(cls.shown);
    effect.shown = is_plain ? effect.after : session_.image(cls.shown, effect.id, form);
  }

  // The table need not have a unique index of the documents' ids.
  void check_document_id(const WrittenClass& cls, const RowChange& change) const {
    if (!cls.whole.is_open()) return;
    const auto& text = std::get<std::string>(change.values.front().value);
    if (!session_.has_document(cls.whole, text)) return;
    const RowRefusal taken{std::string(refused::kDuplicateValue), {}, {}};
    throw QueryError(refused_row(taken, cls.shown, cls.op));
  }

  void check_references() {
    const auto unmet = session_.edit().unmet_reference();
    if (!unmet) return;
    const WrittenClass cls = session_.open(writes_.list.back().class_name, writes_.list.back().op);
    throw QueryError(refused_row(*unmet, cls.shown, cls.op));
  }

  void compare(const Effect& effect) {
    if (!expected_) return;
    const Versions::Row& then = expected_->rows[effects_.size() - 1];
    const Versions::Row now = versions_of(effect);
    if (now.before != then.before || now.after != then.after) {
      note_changed(effect.class_name, effect.id);
    }
  }

  // Of a new object only the given fields: the others may be defaults that differ each time. The
  // times of change always differ, also those that a trigger of the table sets.
  Versions::Row versions_of(const Effect& effect) const {
    const ClassView* const cls = request_.scope.open(effect.class_name);
    const std::vector<std::string> times =
        new_times(effect.before, effect.after, session_.now_ms());
    const auto counts = [&](std::string_view name) {
      for (const std::string_view role : kDateRoles) {
        const FieldView* const field = cls == nullptr ? nullptr : cls->role(role);
        if (name == role || (field != nullptr && field->name == name)) return false;
      }
      if (is_among(effect.given, name)) return true;
      return !effect.before.empty() && !is_among(times, name);
    };
    return {version_of(effect.before + effect.follows), version_of(effect.after, counts)};
  }

  Versions versions() const {
    Versions all;
    for (const Effect& effect : effects_) all.rows.push_back(versions_of(effect));
    all.ids = session_.made_ids();
    return all;
  }

  void note_changed(const std::string& class_name, const std::string& id) {
    if (changed_.empty()) changed_class_ = class_name;
    if (class_name == changed_class_) changed_.push_back(id);
  }

  void refuse_changed() const {
    if (!changed_.empty()) throw QueryError(changed_since(changed_class_, changed_));
  }

  // Before the commit: an answer that cannot be given is no reason to write.
  void check_size(const std::string& text) const {
    if (text.size() <= request_.room_for_rows()) return;
    throw QueryError(invalid_argument(
        "The objects of this write are larger than an answer may be, so nothing was written. "
        "Write fewer at a time."));
  }

  const Request& request_;
  const Writes& writes_;
  Session session_;
  Recorder& recorder_;
  std::vector<Effect> effects_;
  std::optional<Consequences> consequences_;  // of previews, and of writes that were previewed
  std::optional<Versions> expected_;
  std::string changed_class_;
  std::vector<std::string> changed_;
};

}  // namespace

Reply run_writes(const Request& request, const Writes& writes) {
  const EditPtr edit = begin_edit(request);
  Recorder recorder(request, *edit, writes.is_dry_run);
  Reply reply;
  {
    Run run(request, writes, *edit, recorder);
    run.run();
    reply = writes.is_dry_run ? run.dry_reply() : run.reply();
  }
  if (!writes.is_dry_run) commit(*edit, recorder);
  return reply;
}

}  // namespace gantry::data
