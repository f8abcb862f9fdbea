#include "ops/change/stored_rows.hpp"

#include <chrono>

#include "errors/query_error.hpp"
#include "plan/context.hpp"
#include "values/json_text.hpp"
#include "values/system_time.hpp"

namespace gantry::data {
namespace {

// A transaction of another process may have committed a moment ago, and not yet marked its record.
constexpr std::int64_t kYoungMs = 10'000;

void append_value(const Bind& value, std::string& out) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    append_json_integer(*number, out);
  } else if (const auto* real = std::get_if<double>(&value)) {
    append_json_double(*real, out);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    out += "'" + std::to_string(text->size()) + ":" + *text;
  } else if (const auto* blob = std::get_if<Bytes>(&value)) {
    out += "x" + std::to_string(blob->data.size()) + ":" + blob->data;
  }
}

// False: the table has lost a column since.
bool has_columns(Lease& lease, const WrittenTable& table, const std::vector<ColumnValue>& place) {
  const auto rows = lease.prepare(select_stored(table.name, table.columns, place));
  return rows || rows.status().code() != GANTRY_FAILED;
}

}  // namespace

bool is_same_row(const std::optional<StoredRow>& a, const std::optional<StoredRow>& b) {
  if (a.has_value() != b.has_value()) return false;
  if (!a) return true;
  for (std::size_t i = 0; i < a->size(); ++i) {
    if (!is_same((*a)[i], (*b)[i])) return false;
  }
  return true;
}

std::optional<StoredRow> read_stored(Lease& lease, const WrittenTable& table,
                                     const std::vector<ColumnValue>& place) {
  const CursorPtr rows = prepared(lease, select_stored(table.name, table.columns, place));
  std::optional<StoredRow> found;
  if (rows->step()) {
    found.emplace();
    for (const StoredValue& value : rows->row()) found->push_back(bind_of(value));
  } else {
    check_end(*rows);
  }
  return found;
}

// A statement that was compiled before the table went fails at its first step.
bool is_there(Lease& lease, const WrittenTable& table) {
  const auto rows = lease.prepare(any_stored(table.name));
  return rows && ((*rows)->step() || (*rows)->status());
}

std::string name_of_row(const Images& images, const RowStep& step) {
  return name_of_row(images.tables[step.table].name, step.place);
}

std::string name_of_row(const std::string& table, const std::vector<ColumnValue>& place) {
  std::string name = table;
  for (const ColumnValue& one : place) {
    name += " " + one.column + "=";
    append_value(one.value, name);
  }
  return name;
}

std::map<std::string, std::size_t> last_steps(const Images& images) {
  std::map<std::string, std::size_t> last;
  for (std::size_t i = 0; i < images.steps.size(); ++i) {
    last[name_of_row(images, images.steps[i])] = i;
  }
  return last;
}

bool is_as_written(Lease& lease, const Images& images) {
  if (images.effect == Images::Effect::dropped_table)
    return !is_there(lease, images.tables.front());
  for (const WrittenTable& table : images.tables) {
    if (!is_there(lease, table)) return false;
  }
  for (const auto& [name, at] : last_steps(images)) {
    const RowStep& step = images.steps[at];
    const WrittenTable& table = images.tables[step.table];
    if (!has_columns(lease, table, step.place)) return false;
    if (!is_same_row(read_stored(lease, table, step.place), step.after)) return false;
  }
  return true;
}

Status settle_pending(Journal& journal, Lease& lease) {
  const auto pending = journal.pending();
  if (!pending) return pending.status();
  for (const Journal::Entry& entry : *pending) {
    const auto images = journal.images(entry.head.id);
    if (!images && images.status().code() != GANTRY_NOT_FOUND) return images.status();
    const bool is_kept = images && is_as_written(lease, *images);
    if (!is_kept && system_ms() - entry.head.time_ms < kYoungMs) continue;
    if (Status settled = journal.settle(entry.head.id, is_kept); !settled) return settled;
  }
  return {};
}

}  // namespace gantry::data
