#include "store/sqlite/statement.hpp"

#include "store/sqlite/connection.hpp"
#include "store/sqlite/match_function.hpp"

namespace gantry::data::sqlite {
namespace {

struct Binder {
  sqlite3_stmt* stmt;
  int parameter;

  int operator()(std::nullptr_t) const { return sqlite3_bind_null(stmt, parameter); }
  int operator()(std::int64_t v) const { return sqlite3_bind_int64(stmt, parameter, v); }
  int operator()(double v) const { return sqlite3_bind_double(stmt, parameter, v); }
  int operator()(const std::string& v) const {
    return sqlite3_bind_text64(stmt, parameter, v.data(), v.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
  int operator()(const Bytes& v) const {
    return sqlite3_bind_blob64(stmt, parameter, v.data.data(), v.data.size(), SQLITE_TRANSIENT);
  }
  int operator()(const std::shared_ptr<const Matcher>& v) const {
    return bind_matcher(stmt, parameter, v);
  }
};

}  // namespace

Statement::~Statement() {
  if (!cached_) return;
  sqlite3_reset(cached_->stmt);
  sqlite3_clear_bindings(cached_->stmt);
  cached_->in_use = false;
}

Status Statement::bind(const std::vector<Bind>& values) {
  if (sqlite3_bind_parameter_count(raw()) != static_cast<int>(values.size())) {
    return Status::failed("A statement was given the wrong number of values.");
  }
  int parameter = 0;
  for (const auto& value : values) {
    const int rc = std::visit(Binder{raw(), ++parameter}, value);
    if (rc != SQLITE_OK) return connection_->step_error(rc);
  }
  return Status::ok();
}

Status Statement::restart(const std::vector<Bind>& values) {
  sqlite3_reset(raw());
  status_ = Status::ok();
  return bind(values);
}

bool Statement::end(int code) {
  if (code != SQLITE_DONE) status_ = connection_->step_error(code);
  return false;
}

bool Statement::confirm() {
  status_ = connection_->confirm_unchanged();
  return false;
}

// One lookup per value: each sqlite3_column_*() function would find the value again. No other
// thread uses the connection, so an unprotected value is safe.
Row Statement::row() {
  const int columns = sqlite3_column_count(raw());
  cached_->row.resize(static_cast<std::size_t>(columns));
  for (int i = 0; i < columns; ++i)
    cached_->row[static_cast<std::size_t>(i)] = view_value(sqlite3_column_value(raw(), i));
  return cached_->row;
}

std::string_view Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(raw(), column));
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(raw(), column))};
}

}  // namespace gantry::data::sqlite
