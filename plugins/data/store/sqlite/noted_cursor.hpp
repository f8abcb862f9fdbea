// store/sqlite/noted_cursor.hpp: a cursor that notes its statement with the request that is traced.
#pragma once

#include <string_view>

#include "store/store.hpp"
#include "values/asked.hpp"

namespace gantry::data::sqlite {

class NotedCursor final : public Cursor {
 public:
  NotedCursor(CursorPtr cursor, std::string_view sql) : cursor_(std::move(cursor)), asked_(sql) {}

  bool next() override { return noted(cursor_->next()); }
  bool step() override { return noted(cursor_->step()); }
  Row row() override { return cursor_->row(); }
  const Status& status() const override { return cursor_->status(); }
  Status restart(const std::vector<Bind>& values) override { return cursor_->restart(values); }

 private:
  bool noted(bool has_row) const {
    if (has_row) asked_.row();
    return has_row;
  }

  const CursorPtr cursor_;
  const AskedStatement asked_;
};

// The cursor itself where no request is traced, so that its rows cost nothing more.
inline CursorPtr noted(CursorPtr cursor, std::string_view sql) {
  if (Asked::current() == nullptr) return cursor;
  return std::make_unique<NotedCursor>(std::move(cursor), sql);
}

}  // namespace gantry::data::sqlite
