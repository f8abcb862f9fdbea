#include "tools/gantry/import/row_writer.hpp"

#include <string_view>

#include "catalog/column_type.hpp"
#include "write/acl.hpp"
#include "write/document.hpp"

namespace gantry::cli::importing {

Status status_of(const std::optional<data::DataError>& error) {
  if (!error) return {};
  if (error->code == data::error_code::kTimeout) {
    return {GANTRY_BUSY, error->message + ", or wait longer with --wait SECONDS"};
  }
  if (error->code == data::error_code::kCancelled) return {GANTRY_CANCELLED, error->message};
  return Status::failed(error->message);
}

RowWriter::RowWriter(const Table& table, RowWriterOptions options)
    : table_(table),
      options_(std::move(options)),
      stored_(table.columns.size()),
      values_(table.columns.size()),
      given_(table.columns.size()),
      set_by_(table.columns.size()) {}

Status RowWriter::prepare(data::Writer& writer) {
  std::vector<std::string> names;
  for (const Column& column : table_.columns) names.push_back(column.name);
  auto insertion = writer.prepare_insert(table_.name, names);
  if (!insertion) return status_of(insertion.error());
  insertion_ = *std::move(insertion);
  return {};
}

std::size_t RowWriter::place_of(const std::string& field) const {
  if (options_.left_out.count(field) != 0) return kNowhere;
  if (const auto found = table_.by_field.find(field); found != table_.by_field.end()) {
    return found->second;
  }
  if (field == "ACL" && table_.readers) return kAcl;
  if (const auto found = table_.by_field.find(data::lower(field)); found != table_.by_field.end()) {
    return found->second;
  }
  return table_.is_new || options_.skip_unknown ? kNowhere : kUnknown;
}

// Rows mostly have the same fields in the same order.
std::size_t RowWriter::cached_place(std::size_t position, const std::string& field) {
  if (position >= cache_.size()) cache_.resize(position + 1, {std::string(), kUnknown});
  auto& [name, place] = cache_[position];
  if (name != field || place == kUnknown) {
    name = field;
    place = place_of(field);
  }
  return place;
}

std::string RowWriter::set_acl(const Cell& cell) {
  std::string readers, writers;
  if (cell.is_null()) return "";
  if (!read_acl(cell, readers, writers)) return "ACL: is no access list of Parse";
  stored_[*table_.readers].type = stored_[*table_.writers].type = Stored::Type::text;
  stored_[*table_.readers].bytes = std::move(readers);
  stored_[*table_.writers].bytes = std::move(writers);
  return "";
}

std::string RowWriter::set(std::size_t place, Field& field) {
  if (set_by_[place] == row_) return field.name + ": the row has it twice";
  set_by_[place] = row_;
  Status status = convert(field.cell, table_.columns[place], stored_[place]);
  if (status && place == table_.id && stored_[place].type == Stored::Type::text &&
      stored_[place].bytes.empty()) {
    return field.name + ": the id is empty";
  }
  return status ? "" : field.name + ": " + status.message();
}

std::string RowWriter::fill(Row& row) {
  for (std::size_t i = 0; i < row.fields.size(); ++i) {
    Field& field = row.fields[i];
    const std::size_t place = cached_place(i, field.name);
    std::string refusal;
    if (place == kUnknown) {
      const bool is_nothing = field.cell.is(Cell::Type::relation);
      if (!is_nothing) refusal = field.name + ": the class has no such column";
    } else if (place != kNowhere) {
      refusal = place == kAcl ? set_acl(field.cell) : set(place, field);
    }
    if (!refusal.empty()) return refusal;
  }
  return "";
}

std::string RowWriter::fill_document(Row& row) {
  std::unordered_set<std::string_view> names;
  for (const Field& field : row.fields) {
    if (!names.insert(field.name).second) return field.name + ": the row has it twice";
  }
  auto text = write::document_of(row.json, ids_);
  if (!text) return text.message();
  stored_[0].type = Stored::Type::text;
  stored_[0].bytes = *std::move(text);
  return "";
}

// Fills in id and times where the table has them and the row does not.
void RowWriter::complete() {
  const auto empty = [&](std::optional<std::size_t> at) {
    return at && stored_[*at].type == Stored::Type::null;
  };
  if (table_.makes_ids && empty(table_.id)) {
    stored_[*table_.id].type = Stored::Type::text;
    stored_[*table_.id].bytes = ids_.next();
  }
  for (const auto at : {table_.created, table_.updated}) {
    if (!empty(at)) continue;
    stored_[*at].type = Stored::Type::integer;
    stored_[*at].integer = options_.now;
  }
}

// NULL where the row has no value. A field that is left out is not given: it gets its default.
Status RowWriter::insert(std::string& refusal) {
  for (std::size_t i = 0; i < stored_.size(); ++i) {
    values_[i] = stored_[i].view();
    given_[i] = set_by_[i] == row_ || !values_[i].is_null();
  }
  const auto inserted = insertion_->insert(values_, given_);
  if (inserted) return last_row_ = *inserted, Status();
  const data::DataError& error = inserted.error();
  if (!data::is_refusal(error)) return status_of(error);
  refusal = error.message;
  if (error.kind == data::refused::kDuplicateValue) {
    if (!table_.document.empty()) refusal = "_id is there already";
    refusal += ", in the class or earlier in the file";
  }
  return {};
}

Status RowWriter::put(Row& row, std::string& refusal) {
  ++row_;
  refusal = std::move(row.reason);
  if (!refusal.empty()) return {};
  for (Stored& value : stored_) value.type = Stored::Type::null;
  refusal = table_.document.empty() ? fill(row) : fill_document(row);
  if (!refusal.empty()) return {};
  complete();
  return insert(refusal);
}

}  // namespace gantry::cli::importing
