#include "ops/change/undo.hpp"

#include <gantry/json_writer.hpp>

#include <algorithm>
#include <set>
#include <utility>

#include "catalog/column_type.hpp"
#include "errors/query_error.hpp"
#include "ops/change/recorder.hpp"
#include "ops/change/refusals.hpp"
#include "ops/change/stored_rows.hpp"
#include "ops/change/transaction.hpp"
#include "ops/page.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

// Of one error's sentence.
constexpr std::size_t kMostNamed = 10;

[[noreturn]] void refuse_undo(std::string message) {
  throw QueryError(invalid_argument(std::move(message)));
}

std::string named(const WrittenTable& table, std::string_view id) {
  return table.class_name + " '" + clipped(id, 64) + "'";
}

// What is not as the write left it.
class Conflicts {
 public:
  void add(const WrittenTable& table, const RowStep& step, const std::optional<StoredRow>& now) {
    std::vector<std::string> fields;
    for (std::size_t i = 0; now && step.after && i < now->size(); ++i) {
      if (!is_same((*now)[i], (*step.after)[i])) fields.push_back(table.columns[i]);
    }
    const std::string_view what = !now ? "it is gone" : !step.after ? "it is there again" : "";
    note(named(table, step.object_id), what, fields);
    out_.begin_object().key("class_name").string(table.class_name);
    out_.key("object_id").string(step.object_id).key("fields").raw(quoted_list(fields));
    out_.end_object();
  }
  // What keeps a whole class from being taken back; `fields` that it is about.
  void add(const WrittenTable& table, std::string_view why,
           const std::vector<std::string>& fields = {}) {
    note("class " + table.class_name, why, fields);
    out_.begin_object().key("class_name").string(table.class_name);
    if (!fields.empty()) out_.key("fields").raw(quoted_list(fields));
    out_.end_object();
  }

  void refuse_any() {
    if (count_ == 0) return;
    if (count_ > kMostNamed) sentence_ += " and " + std::to_string(count_ - kMostNamed) + " more";
    DataError error = invalid_argument(
        "Nothing was put back, because the data is not as the write left it: " + sentence_ +
        ". Undo the later writes first, or change the rows by hand.");
    error.details_json = R"({"kind":"changed_since","changes":[)" + json_ + "]}";
    throw QueryError(std::move(error));
  }

 private:
  void note(const std::string& name, std::string_view what,
            const std::vector<std::string>& fields) {
    if (++count_ > kMostNamed) return;
    sentence_ += (count_ > 1 ? "; " : "") + name + " (" + std::string(what);
    if (!what.empty() && !fields.empty()) sentence_ += ": ";
    for (std::size_t i = 0; i < fields.size(); ++i) sentence_ += (i > 0 ? ", " : "") + fields[i];
    sentence_ += ")";
  }

  std::size_t count_ = 0;
  std::string sentence_, json_;
  gantry::JsonWriter out_{json_};
};

class Undoing {
 public:
  Undoing(const Request& request, Edit& edit, Recorder& recorder, Images images)
      : edit_(edit), recorder_(recorder), images_(std::move(images)) {
    lease_ = lease_of(edit, request);
  }

  void run() {
    check_unchanged();
    for (const RowStep& step : images_.steps) rows_.insert(name_of_row(images_, step));
    if (images_.effect == Images::Effect::made_table) return drop();
    // Rows may refer to each other, so that none of them can be the first.
    if (auto error = edit_.defer_references()) throw QueryError(*std::move(error));
    if (images_.effect == Images::Effect::dropped_table) make();
    restore_rows();
    if (unmet_ != nullptr) refuse_row(*edit_.unmet_reference(), *unmet_);
  }

  std::size_t rows() const { return restored_; }

 private:
  const WrittenTable& table_of(const RowStep& step) const { return images_.tables[step.table]; }
  const WrittenTable& made() const { return images_.tables.front(); }

  void check_unchanged() {
    Conflicts conflicts;
    const bool was_dropped = images_.effect == Images::Effect::dropped_table;
    for (std::size_t i = 0; i < images_.tables.size(); ++i) {
      const WrittenTable& table = images_.tables[i];
      const bool is_made = was_dropped && i == 0;
      if (is_there(*lease_, table) == is_made) {
        conflicts.add(table, is_made ? "there is one of this name again" : "it is gone");
      } else if (!is_made) {
        const auto lost = lost_columns(table);
        if (!lost.empty()) conflicts.add(table, "these fields were removed or renamed", lost);
      }
    }
    conflicts.refuse_any();
    if (images_.effect == Images::Effect::made_table) check_class(conflicts);
    for (const auto& [name, at] : last_steps(images_)) {
      const RowStep& step = images_.steps[at];
      if (was_dropped && step.table == 0) continue;
      const auto now = read_stored(*lease_, table_of(step), step.place);
      if (!is_same_row(now, step.after)) conflicts.add(table_of(step), step, now);
    }
    conflicts.refuse_any();
  }

  // Of the columns that were recorded.
  std::vector<std::string> lost_columns(const WrittenTable& table) {
    const auto shape = edit_.shape(table.name);
    if (!shape) throw QueryError(shape.error());
    std::vector<std::string> lost;
    for (const std::string& column : table.columns) {
      const bool is_kept =
          std::any_of((*shape)->columns.begin(), (*shape)->columns.end(),
                      [&](const std::string& now) { return same_name(now, column); });
      if (!is_kept) lost.push_back(column);
    }
    return lost;
  }

  // A class that the write made: nothing was added to it.
  void check_class(Conflicts& conflicts) {
    const auto text = edit_.text_of_table(made().name);
    if (!text) throw QueryError(text.error());
    if (text->statements != images_.text.statements || text->flaw != images_.text.flaw) {
      conflicts.add(made(), "its definition was changed");
    }
    const CursorPtr count = prepared(*lease_, count_stored(made().name));
    const std::int64_t rows = count->step() ? count->row()[0].integer : 0;
    check_end(*count);
    const auto last = last_steps(images_);
    const auto own = std::count_if(last.begin(), last.end(), [&](const auto& one) {
      return images_.steps[one.second].table == 0 && images_.steps[one.second].after;
    });
    if (rows != own) conflicts.add(made(), "objects were added or removed");
  }

  void drop() {
    restored_ = images_.steps.size();
    recorder_.drops_table(made(), restored_);
    check_consequences(0);
    if (auto error = edit_.drop_table(main_table(made().name))) {
      throw QueryError(*std::move(error));
    }
  }

  void make() {
    if (auto error = edit_.restore_table(images_.text)) throw QueryError(*std::move(error));
    recorder_.makes_table(made());
  }

  // A step and what foreign keys did because of it: the step first, as the keys demand. Later steps
  // before earlier ones. Of a class that was dropped all rows come first.
  void restore_rows() {
    if (images_.effect == Images::Effect::dropped_table) {
      for (const RowStep& step : images_.steps) restore(step);
      return;
    }
    std::size_t end = images_.steps.size();
    for (std::size_t begin = end; begin-- > 0;) {
      if (images_.steps[begin].by_foreign_key) continue;
      for (std::size_t i = begin; i < end; ++i) restore(images_.steps[i]);
      end = begin;
    }
  }

  void restore(const RowStep& step) {
    const WrittenTable& table = table_of(step);
    const auto now = read_stored(*lease_, table, step.place);
    if (is_same_row(now, step.before)) return;
    ++restored_;
    const Recorder::Row row{table, step.object_id, step.place};
    if (!step.before) {
      const std::size_t known = recorder_.images().steps.size();
      recorder_.add(row, Recorder::Kind::removed);
      check_consequences(known + 1);
      return run(delete_stored(table.name, step.place), step);
    }
    std::vector<ColumnValue> values = values_of(table, *step.before, now);
    if (now) {
      recorder_.add(row, Recorder::Kind::changed, values);
      return run(update_stored(table.name, values, step.place), step);
    }
    recorder_.add(row, Recorder::Kind::created);
    for (const ColumnValue& one : step.place) {
      const bool is_column = std::any_of(values.begin(), values.end(), [&](const ColumnValue& v) {
        return v.column == one.column;
      });
      if (!is_column) values.push_back(one);
    }
    run(insert_stored(table.name, values), step);
  }

  // The values that `now` has not.
  static std::vector<ColumnValue> values_of(const WrittenTable& table, const StoredRow& row,
                                            const std::optional<StoredRow>& now) {
    std::vector<ColumnValue> values;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (now && is_same((*now)[i], row[i])) continue;
      values.push_back({quote_name(table.columns[i]), row[i]});
    }
    return values;
  }

  // Foreign keys may change what the write changed, and nothing else: rows that refer to a new
  // object were made by others.
  void check_consequences(std::size_t from) const {
    const Images& undone = recorder_.images();
    for (std::size_t i = from; i < undone.steps.size(); ++i) {
      const RowStep& step = undone.steps[i];
      if (!step.by_foreign_key || rows_.contains(name_of_row(undone, step))) continue;
      refuse_undo(
          "Nothing was put back: " + named(undone.tables[step.table], step.object_id) +
          " refers to an object that the write made, and would be changed with it. Change or "
          "delete it first.");
    }
  }

  void run(const Fragment& statement, const RowStep& step) {
    auto changed = edit_.run(statement);
    if (!changed) throw QueryError(changed.error());
    if (changed->refusal) refuse_row(*changed->refusal, step);
    if (changed->rows == 0) refuse_row({std::string(refused::kFailedValidation), {}, {}}, step);
    if (!edit_.unmet_reference()) {
      unmet_ = nullptr;
    } else if (unmet_ == nullptr) {
      unmet_ = &step;
    }
  }

  [[noreturn]] void refuse_row(const RowRefusal& refusal, const RowStep& step) const {
    const std::string columns = joined(refusal.columns);
    refuse_undo(
        "Nothing was put back: the database refuses to put back " +
        named(table_of(step), step.object_id) + " (" + refusal.kind +
        (columns.empty() ? "" : ": " + columns) +
        "). A rule of the schema, such as a trigger, a unique index or a foreign key, stands "
        "against it.");
  }

  Edit& edit_;
  Recorder& recorder_;
  const Images images_;
  LeasePtr lease_;
  std::set<std::string> rows_;      // that the write changed
  const RowStep* unmet_ = nullptr;  // since this one a reference is without its target
  std::size_t restored_ = 0;
};

void check_gates(const Images& images, const EditRights& rights) {
  const bool is_of_schema = images.effect != Images::Effect::on_rows;
  check_gate({"undo", is_of_schema, nullptr}, rights);
}

// The record, if it is of a committed write that can be taken back.
WriteHead undoable(Journal& journal, const std::string& id) {
  const auto entry = journal.find(id);
  if (!entry) throw QueryError(store_error(entry.status()));
  if (!*entry || (*entry)->is_pending) throw QueryError(no_such_write(id));
  const WriteHead& head = (*entry)->head;
  if (!head.reason.empty()) refuse_undo("The write cannot be undone: " + head.reason + ".");
  const auto undone = journal.undone_by(id);
  if (!undone) throw QueryError(store_error(undone.status()));
  if (!undone->empty()) refuse_undo("The write was undone already, by " + *undone + ".");
  return head;
}

}  // namespace

Reply undo(const Request& request, WriteTier /*tier*/) {
  Journal* const journal = request.writing->journal;
  if (journal == nullptr)
    refuse_undo("This server records no writes: plugins.data.config.writes_bytes.");
  if (!request.writing->rights.any()) check_gate({"undo", false, nullptr}, request.writing->rights);
  const std::string id(required_string(request, "id"));
  const EditPtr edit = begin_edit(request);
  Recorder recorder(request, *edit);
  const WriteHead head = undoable(*journal, id);
  auto images = journal->images(id);
  if (!images) refuse_undo("The write cannot be undone: " + images.message() + ".");
  check_gates(*images, request.writing->rights);
  Undoing undoing(request, *edit, recorder, *std::move(images));
  undoing.run();
  const std::string own = commit(*edit, recorder, id);
  Reply reply;
  gantry::JsonWriter out(reply.meta);
  out.begin_object().key("id").string(own).key("undoes").string(id);
  out.key("rows").number(undoing.rows()).end_object();
  return reply;
}

}  // namespace gantry::data
