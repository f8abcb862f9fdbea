#include "ops/change/recorder.hpp"

#include <gantry/json.hpp>

#include <map>
#include <utility>

#include "catalog/column_type.hpp"
#include "errors/query_error.hpp"
#include "ops/change/stored_rows.hpp"
#include "ops/change/transaction.hpp"
#include "values/system_time.hpp"

namespace gantry::data {
namespace {

constexpr std::string_view kTooLarge =
    "its rows take more room than plugins.data.config.writes_bytes allows";
constexpr std::string_view kNoIds = "some of its rows have no ids";

std::string shown_id(const std::vector<ColumnValue>& place) {
  std::string id;
  for (const ColumnValue& one : place) {
    if (!id.empty()) id += ',';
    if (const auto* number = std::get_if<std::int64_t>(&one.value)) id += std::to_string(*number);
    if (const auto* text = std::get_if<std::string>(&one.value)) id += *text;
  }
  return id;
}

[[noreturn]] void refuse_unrecorded(const Status& why) {
  DataError error = store_error(why);
  error.code = error_code::kStoreError;
  error.message =
      "Nothing was written, because the write cannot be recorded for undo: " + why.message() +
      ". The operator has to make the state directory writable and give it room, or "
      "set plugins.data.config.writes_bytes to 0.";
  throw QueryError(std::move(error));
}

}  // namespace

Recorder::Recorder(const Request& request, Edit& edit, bool is_dry_run)
    : request_(request), edit_(edit) {
  if (is_dry_run || request.writing == nullptr) return;
  journal_ = request.writing->journal;
  if (journal_ == nullptr) return;
  lease_ = lease_of(edit, request);
  if (Status settled = settle_pending(*journal_, *lease_); !settled) refuse_unrecorded(settled);
}

WrittenTable Recorder::table_of_class(const ClassView& whole) {
  const auto shape = edit_.shape(table_of(whole));
  if (!shape) throw QueryError(shape.error());
  return {whole.name, (*shape)->name, (*shape)->columns};
}

std::size_t Recorder::table_number(const WrittenTable& table) {
  auto& tables = images_.tables;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (tables[i].name == table.name) return i;
  }
  tables.push_back(table);
  return tables.size() - 1;
}

void Recorder::creates(const ClassView& whole, std::string_view id,
                       const std::vector<ColumnValue>& place) {
  if (is_on()) add({table_of_class(whole), id, place}, Kind::created);
}

void Recorder::changes(const ClassView& whole, std::string_view id,
                       const std::vector<ColumnValue>& place,
                       const std::vector<ColumnValue>& values) {
  if (is_on()) add({table_of_class(whole), id, place}, Kind::changed, values);
}

void Recorder::removes(const ClassView& whole, std::string_view id,
                       const std::vector<ColumnValue>& place) {
  if (is_on()) add({table_of_class(whole), id, place}, Kind::removed);
}

void Recorder::add(const Row& row, Kind kind, const std::vector<ColumnValue>& values) {
  if (!is_on()) return;
  ++rows_;
  RowStep step{table_number(row.table), std::string(row.id), row.place, {}, {}, false};
  if (kind != Kind::created) step.before = read_stored(*lease_, row.table, row.place);
  const bool is_there = step.before.has_value();
  push(std::move(step));
  if (!is_there) return;
  Chain chain(edit_);
  chain.begin({row.table.name, row.place, kind == Kind::removed, new_values(values)});
  follow(chain);
}

// What the journal would refuse is not collected: the write is made all the same.
void Recorder::push(RowStep step) {
  if (!reason_.empty()) return;
  bytes_ += step.before ? size_of(*step.before) : 0;
  if (bytes_ <= 2 * journal_->most_bytes()) return images_.steps.push_back(std::move(step));
  give_up_images(std::string(kTooLarge));
}

void Recorder::give_up_images(std::string reason) {
  reason_ = std::move(reason);
  images_.steps.clear();
  images_.text = {};
}

void Recorder::follow(Chain& chain) {
  while (reason_.empty() && chain.next()) {
    const auto shape = edit_.shape(chain.key().table);
    if (!shape) throw QueryError(shape.error());
    if ((*shape)->place.empty()) return give_up_images(std::string(kNoIds));
    each_row(**shape, chain.condition((*shape)->place), [&](RowStep step) {
      if (chain.add(step.place) == Chain::Found::first) push(std::move(step));
    });
  }
}

void Recorder::each_row(const TableShape& of, const Fragment& condition,
                        const std::function<void(RowStep step)>& take) {
  const std::size_t table = table_number({of.name, of.name, of.columns});
  const CursorPtr rows =
      prepared(*lease_, select_stored_where(of.name, of.place, of.columns, condition));
  while (reason_.empty() && rows->step()) {
    const gantry::data::Row row = rows->row();
    RowStep step{table, {}, {}, StoredRow(), {}, true};
    for (std::size_t i = 0; i < row.size(); ++i) {
      Bind value = bind_of(row[i]);
      if (i < of.place.size()) {
        step.place.push_back({of.place[i], std::move(value)});
      } else {
        step.before->push_back(std::move(value));
      }
    }
    step.object_id = shown_id(step.place);
    take(std::move(step));
  }
  check_end(*rows);
}

void Recorder::makes_table(const WrittenTable& table) {
  if (!is_on()) return;
  images_.effect = Images::Effect::made_table;
  table_number(table);
  take_text(table.name);
}

void Recorder::drops_table(const WrittenTable& table, std::size_t rows) {
  if (!is_on()) return;
  rows_ = rows;
  images_.effect = Images::Effect::dropped_table;
  table_number(table);
  take_text(table.name);
  const auto shape = edit_.shape(table.name);
  if (!shape) throw QueryError(shape.error());
  if ((*shape)->place.empty() && reason_.empty()) reason_ = kNoIds;
  if (reason_.empty()) add_dropped(**shape);
}

// The database deletes the rows before it drops the table.
void Recorder::add_dropped(const TableShape& shape) {
  const auto keys = edit_.keys_to(shape.name);
  if (!keys) throw QueryError(keys.error());
  Chain chain(edit_);
  each_row(shape, {}, [&](RowStep step) {
    step.by_foreign_key = false;
    if (!(*keys)->empty()) chain.begin({shape.name, step.place, true});
    push(std::move(step));
  });
  follow(chain);
}

void Recorder::take_text(const std::string& table) {
  auto text = edit_.text_of_table(table);
  if (!text) throw QueryError(text.error());
  images_.text = std::move(*text);
  if (!images_.text.flaw.empty()) reason_ = images_.text.flaw + ", which undo cannot make again";
}

// Of each step the row as the next step on it found it; of the last one the row of now.
void Recorder::read_after() {
  std::map<std::string, std::size_t> next;
  for (std::size_t i = images_.steps.size(); i-- > 0;) {
    RowStep& step = images_.steps[i];
    const auto [at, is_last] = next.try_emplace(name_of_row(images_, step), i);
    const bool is_gone = images_.effect == Images::Effect::dropped_table && step.table == 0;
    if (!is_last) {
      step.after = images_.steps[std::exchange(at->second, i)].before;
    } else if (!is_gone) {
      step.after = read_stored(*lease_, images_.tables[step.table], step.place);
    }
    if (step.after) bytes_ += size_of(*step.after);
  }
  if (bytes_ > 2 * journal_->most_bytes()) give_up_images(std::string(kTooLarge));
}

WriteHead Recorder::head(std::string_view undoes) const {
  const WriteOrigin& origin = request_.writing->origin;
  WriteHead head;
  head.id = id_;
  head.time_ms = system_ms();
  if (const auto agent = gantry::Json::parse(origin.agent)) {
    if (const auto name = agent->find("name")) head.agent = name->as_string().value_or("");
    if (const auto user = agent->find("user")) head.user = user->as_string().value_or("");
  }
  head.tool = origin.tool;
  head.correlation_id = origin.correlation_id;
  head.operation = request_.writing->operation;
  for (const WrittenTable& table : images_.tables) head.classes.push_back(table.class_name);
  head.rows = rows_;
  head.reason = reason_;
  head.undoes = undoes;
  return head;
}

std::string Recorder::append(std::string_view undoes) {
  if (!is_on()) return {};
  read_after();
  id_ = random_record_id();
  Status status = journal_->append(head(undoes), images_);
  if (status.code() == GANTRY_TOO_BIG) {
    give_up_images(std::string(kTooLarge));
    status = journal_->append(head(undoes), images_);
  }
  if (!status) refuse_unrecorded(status);
  return id_;
}

// A record that cannot be marked is settled by the next transaction.
void Recorder::settle() {
  if (is_on()) (void)journal_->settle(id_, true);
}

}  // namespace gantry::data
