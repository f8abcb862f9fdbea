#include "plan/printed_join.hpp"

#include <algorithm>

#include "errors/query_error.hpp"
#include "pipeline/walk.hpp"
#include "plan/plan_column.hpp"
#include "sql/row_order.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

// Whether the spec has only {from, localField, foreignField, as}.
bool is_plain(const Value& spec) {
  if (!spec.is_object() || spec.members().size() != 4) return false;
  const auto is_text = [&](std::string_view name) {
    const Value& value = spec.find(name);
    return value.is_string() && !value.text().empty();
  };
  return is_text("from") && is_text("localField") && is_text("foreignField") && is_text("as");
}

// The position of the path's first name among the printer's fields, if it is one.
std::optional<std::size_t> entry_at(const RowPrinter& printer, std::string_view path) {
  const auto& names = printer.names();
  const auto found = std::find(names.begin(), names.end(), path.substr(0, path.find('.')));
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

bool is_new_field(const std::string& name, const RowPrinter& printer) {
  return is_utf8(name) && name.find('.') == std::string::npos && !entry_at(printer, name);
}

const Value& or_null(const Value& value) {
  static const Value null = Value::null();
  return value.is_missing() ? null : value;
}

}  // namespace

std::unique_ptr<DirectLookup> DirectLookup::make(const ReadContext& context, ClassSource& source,
                                                 const Value& spec, const RowPrinter& local) {
  if (!is_plain(spec)) return nullptr;
  const ClassView& cls = open_class(context.scope, spec.find("from").text());
  RowPrinterPtr printer = document_printer(context, cls);
  if (!printer || own_order(cls).empty()) return nullptr;
  std::unique_ptr<DirectLookup> join(new DirectLookup(std::move(printer), local));
  join->as_ = spec.find("as").text();
  join->local_path_ =
      pipeline::parse_path("$lookup", "'localField'", spec.find("localField").text());
  join->foreign_path_.emplace(spec.find("foreignField").text());
  join->local_ = entry_at(local, join->local_path_.front());
  join->foreign_ = entry_at(*join->printer_, join->foreign_path_->text());
  std::string column = lookup_column(cls, join->foreign_path_->text());
  const bool has_all = join->local_ && join->foreign_ && !column.empty();
  if (!has_all || !is_new_field(join->as_, local)) return nullptr;
  const std::string& list = join->printer_->reader().select_list();
  join->search_ = std::make_unique<KeySearch>(source, cls, std::move(column), list);
  return join;
}

DirectLookup::DirectLookup(RowPrinterPtr printer, const RowPrinter& local)
    : printer_(std::move(printer)), local_printer_(local) {}

bool DirectLookup::visit(Row row, const Visit& visit) {
  const Array values = values_of(row);
  Cursor* const found = search_->find(values);
  if (found == nullptr) return false;
  while (found->step()) {
    Spending::step_current();
    const Row other = found->row();
    if (!is_wanted(other, values)) continue;
    json_.clear();
    printer_->append_document(other, json_);
    if (!visit(json_)) return true;
  }
  check_end(*found);
  return true;
}

// The values that the other class's field is compared with, as in $lookup.
Array DirectLookup::values_of(Row row) const {
  Value root = local_printer_.reader().read(row, *local_);
  Array values;
  if (local_path_.size() == 1 && !root.is_array()) {
    values.push_back(or_null(root));
    return values;
  }
  const Value document = ObjectBuilder().add(local_path_.front(), std::move(root)).build();
  pipeline::visit_values(document, local_path_,
                         [&](const Value& value) { values.push_back(value); });
  if (values.empty()) values.push_back(Value::null());
  return values;
}

// The search may find rows that are not equal: a collation may ignore case.
bool DirectLookup::is_wanted(Row row, const Array& values) const {
  Value root = printer_->reader().read(row, *foreign_);
  const auto is_one = [&](const Value& value) {
    return std::find(values.begin(), values.end(), or_null(value)) != values.end();
  };
  const std::string& name = printer_->names()[*foreign_];
  if (name == foreign_path_->text() && !root.is_array()) return is_one(root);
  const Value document = ObjectBuilder().add(name, std::move(root)).build();
  return foreign_path_->any(document, filter::Leaf::elements_too, is_one);
}

}  // namespace gantry::data
