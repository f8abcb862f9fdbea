#include "ops/change/written.hpp"

#include <gantry/json_writer.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "catalog/floor.hpp"
#include "errors/query_error.hpp"
#include "ops/change/refusals.hpp"
#include "ops/change/stored_rows.hpp"
#include "policy/internal.hpp"
#include "values/iso_date.hpp"
#include "values/json_text.hpp"
#include "values/utf8.hpp"
#include "view/value_writer.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kPage = 100;
constexpr std::size_t kMostShownBytes = std::size_t{2} << 20U;
constexpr std::size_t kMostValueShown = 4096;

using Writer = gantry::JsonWriter;

Journal& journal_of(Service& service) {
  if (Journal* const journal = service.journal()) return *journal;
  throw QueryError(
      invalid_argument("This server records no writes: it has no database that it may write, or "
                       "plugins.data.config.writes_bytes is 0."));
}

template <class T>
T value_or_throw(Result<T> result) {
  if (!result) throw QueryError(store_error(result.status()));
  return *std::move(result);
}

// A pending record belongs to a transaction that runs now, or of a process that was killed.
bool is_committed(Service& service, const Journal::Entry& entry, const Budget& budget) {
  if (!entry.is_pending) return true;
  const auto images = service.journal()->images(entry.head.id);
  const LeasePtr lease = value_or_throw(service.store().lease(budget));
  return images && is_as_written(*lease, *images);
}

void put_text(Writer& out, std::string_view name, const std::string& text) {
  if (!text.empty()) out.key(name).string(text);
}

// Without the end of the object.
void put_head(Writer& out, Journal& journal, const WriteHead& head) {
  std::string time;
  append_iso_date(head.time_ms, time);
  const std::string undone_by = value_or_throw(journal.undone_by(head.id));
  out.begin_object().key("id").string(head.id).key("time").string(time);
  out.key("agent").string(head.agent);
  put_text(out, "user", head.user);
  out.key("tool").string(head.tool);
  put_text(out, "correlation_id", head.correlation_id);
  out.key("operation").string(head.operation).key("classes").begin_array();
  for (const std::string& name : head.classes) out.string(name);
  out.end_array().key("rows").number(head.rows);
  out.key("undoable").boolean(head.reason.empty() && undone_by.empty());
  put_text(out, "reason", head.reason);
  put_text(out, "undone_by", undone_by);
  put_text(out, "undoes", head.undoes);
}

bool is_asked(const WritesQuestion& question, const WriteHead& head) {
  const bool is_of_class =
      question.class_name.empty() || std::find(head.classes.begin(), head.classes.end(),
                                               question.class_name) != head.classes.end();
  return is_of_class && (question.agent.empty() || question.agent == head.agent);
}

std::int64_t number_of(const std::string& cursor) {
  std::int64_t number = std::numeric_limits<std::int64_t>::max();
  if (cursor.empty()) return number;
  const char* const end = cursor.data() + cursor.size();
  const auto [at, error] = std::from_chars(cursor.data(), end, number);
  if (error != std::errc() || at != end) {
    throw QueryError(invalid_argument("'cursor' must be the next_cursor of another answer"));
  }
  return number;
}

std::string listed(Service& service, const WritesQuestion& question, const Budget& budget) {
  Journal& journal = journal_of(service);
  std::string text;
  Writer out(text);
  out.begin_object().key("writes").begin_array();
  std::int64_t before = number_of(question.cursor), last = 0;
  std::size_t count = 0;
  bool has_more = false;
  while (!has_more && before != 0) {
    const Journal::Page page = value_or_throw(journal.newest(before, kPage));
    before = page.next;
    for (const Journal::Entry& entry : page.entries) {
      if (!is_asked(question, entry.head) || !is_committed(service, entry, budget)) continue;
      has_more = count == question.limit;
      if (has_more) break;
      put_head(out, journal, entry.head);
      out.end_object();
      last = entry.number;
      ++count;
    }
  }
  out.end_array();
  if (has_more) out.key("next_cursor").string(std::to_string(last));
  out.end_object();
  return text;
}

std::string value_json(const std::string& column, const Bind& value) {
  const StoredValue stored = stored_of(value);
  if (is_internal_field(column) || (stored.is_blob() && may_name_internal(stored.bytes))) {
    return R"({"__redacted":true})";
  }
  if (stored.bytes.size() > kMostValueShown) {
    return R"({"__bytes":)" + std::to_string(stored.bytes.size()) + "}";
  }
  const auto cleaned = stored.is_text() ? shown_text(stored.bytes, nullptr) : std::nullopt;
  StoredValue shown = stored;
  if (cleaned) shown.bytes = *cleaned;
  std::string json;
  const JsonShape shape =
      shown.is_text() ? json_shape(shown.bytes, kMostStoredLevels) : JsonShape::none;
  if (shape == JsonShape::object || shape == JsonShape::array) {
    append_json_verbatim(shown.bytes, json);
    return json;
  }
  JsonAppender out(json);
  write_value(shown, JsonDialect::plain, out);
  out.text();
  return json;
}

void put_row(Writer& out, std::string_view name, const WrittenTable& table,
             const std::optional<StoredRow>& row) {
  if (!row) return;
  out.key(name).begin_object();
  for (std::size_t i = 0; i < row->size(); ++i) {
    out.key(table.columns[i]).raw(value_json(table.columns[i], (*row)[i]));
  }
  out.end_object();
}

std::string_view operation_of(const RowStep& step) {
  if (!step.before) return "create";
  return step.after ? "update" : "delete";
}

void put_changes(Writer& out, const std::string& text, const Images& images) {
  std::size_t shown = 0;
  out.key("changes").begin_array();
  for (const RowStep& step : images.steps) {
    if (text.size() > kMostShownBytes) break;
    const WrittenTable& table = images.tables[step.table];
    out.begin_object().key("class_name").string(table.class_name);
    out.key("object_id").string(step.object_id).key("operation").string(operation_of(step));
    if (step.by_foreign_key) out.key("by_foreign_key").boolean(true);
    put_row(out, "before", table, step.before);
    put_row(out, "after", table, step.after);
    out.end_object();
    ++shown;
  }
  out.end_array();
  if (shown < images.steps.size()) out.key("left_out").number(images.steps.size() - shown);
}

std::string shown(Service& service, const std::string& id, const Budget& budget) {
  Journal& journal = journal_of(service);
  const auto entry = value_or_throw(journal.find(id));
  if (!entry || !is_committed(service, *entry, budget)) throw QueryError(no_such_write(id));
  std::string text;
  Writer out(text);
  put_head(out, journal, entry->head);
  const auto images = journal.images(id);
  if (!images) throw QueryError(store_error(images.status()));
  put_changes(out, text, *images);
  out.end_object();
  return text;
}

Outcome<std::string> guarded(Service& service, const Budget& budget,
                             const std::function<std::string(const Budget&)>& work) {
  Caller operator_;
  operator_.budget = budget;
  auto reply = service.guarded(operator_, [&work](const Caller& bounded) -> Outcome<Reply> {
    return Reply{{}, work(bounded.budget)};
  });
  if (!reply) return reply.error();
  return std::move(reply->meta);
}

}  // namespace

Outcome<std::string> list_writes(Service& service, const WritesQuestion& question,
                                 const Budget& budget) {
  return guarded(service, budget,
                 [&](const Budget& bounded) { return listed(service, question, bounded); });
}

Outcome<std::string> show_write(Service& service, const std::string& id, const Budget& budget) {
  return guarded(service, budget,
                 [&](const Budget& bounded) { return shown(service, id, bounded); });
}

}  // namespace gantry::data
