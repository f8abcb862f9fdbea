// ops/change/session.hpp: one transaction of one caller: the classes as the caller and the engine
// see them, and the rows in it.
//
// Throws QueryError. One thread; the request and the edit outlive it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ops/request.hpp"
#include "sql/change.hpp"
#include "store/editor.hpp"
#include "write/names.hpp"

namespace gantry::data {

// A class for one write.
struct WrittenClass {
  const ClassView& shown;     // as the caller reads its objects by id
  const ClassView& writable;  // the rows that the caller may write
  const ClassView& whole;     // all but internal columns
  ClassOp op;

  bool is_create() const { return op == ClassOp::create; }
};

// Names one row for a statement.
using Place = std::vector<ColumnValue>;
// place_columns() for a SELECT; a row with them as its last columns holds its place.
std::string place_list(const ClassView& cls);
Place place_in(const ClassView& cls, Row row);
// Whether the class shows the values of the column, which is SQL.
bool shows_column(const ClassView& cls, const std::string& column);

// It has more than twenty methods: one for each question of a write about a class, a row, a column
// or an id.
class Session {
 public:
  Session(const Request& request, Edit& edit);

  // Refuses a class that the caller may not see, or not write in this way.
  WrittenClass open(std::string_view class_name, ClassOp op) const;

  // The row of the object, if it is one of `view`. Refuses an id that several rows have.
  std::optional<Place> find(const ClassView& view, std::string_view id) const;
  bool holds(const ClassView& view, const Place& place) const;
  // The object as a read by id shows it, in the form of rows `form`; empty: not at all.
  std::string image(const ClassView& shown, std::string_view id,
                    JsonDialect form = JsonDialect::plain) const;
  // The id of the row.
  std::string id_at(const ClassView& whole, const Place& place) const;
  // Whether there is a document with the id of this one.
  bool has_document(const ClassView& whole, std::string_view document) const;
  // The stored value of a column.
  Bind stored(const ClassView& whole, const Place& place, const std::string& column) const;
  // Whether the caller sees an object that a pointer with this stored value refers to.
  bool sees_target(const FieldView& pointer, const Bind& value) const;

  // Throws what the database refuses.
  Changed run(const Fragment& statement, const WrittenClass& cls) const;
  Edit& edit() const { return edit_; }
  const Request& request() const { return request_; }
  std::int64_t now_ms() const { return now_ms_; }  // the time of all writes

  // An id for a new object: the next of `expected`, else a new one.
  std::string next_id();
  void expect_ids(std::vector<std::string> expected) { expected_ids_ = std::move(expected); }
  const std::vector<std::string>& made_ids() const { return made_ids_; }

 private:
  // Why the database refuses a row of the class.
  DataError refusal_of(RowRefusal refusal, const WrittenClass& cls) const;
  CursorPtr cursor(const Fragment& statement) const;
  std::optional<Place> find_row(const ClassView& view, std::string_view id) const;
  std::optional<Place> find_document(const ClassView& view, std::string_view id) const;
  std::string row_id_at(const ClassView& whole, const Place& place) const;
  std::string document_id_at(const ClassView& whole, const Place& place) const;

  const Request& request_;
  Edit& edit_;
  Scope shown_, engine_;
  LeasePtr lease_;
  write::IdMaker ids_;
  std::vector<std::string> expected_ids_, made_ids_;
  std::int64_t now_ms_;
};

}  // namespace gantry::data
