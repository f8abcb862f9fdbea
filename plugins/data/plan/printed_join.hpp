// plan/printed_join.hpp: writes the documents that a $lookup joins to a row as JSON, directly from
// the other class's rows.
//
// Each row does one index search, like a join in SQL. Applicable only if the database can search,
// and only to a $lookup of equal fields between classes with columns.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "filter/path.hpp"
#include "pipeline/spec.hpp"
#include "plan/key_search.hpp"
#include "plan/row_printers.hpp"

namespace gantry::data {

class DirectLookup {
 public:
  // `spec` is that of a valid $lookup with a new output field; `local` prints the rows. Null: not
  // applicable. All arguments must outlive the result.
  static std::unique_ptr<DirectLookup> make(const ReadContext& context, ClassSource& source,
                                            const Value& spec, const RowPrinter& local);

  const std::string& field() const { return as_; }
  // Calls `visit` for each document that is joined to `row`, as JSON, in the order of the class,
  // until it returns false. Returns false if the documents cannot be printed directly.
  using Visit = std::function<bool(std::string_view json)>;
  bool visit(Row row, const Visit& visit);

 private:
  DirectLookup(RowPrinterPtr printer, const RowPrinter& local);

  Array values_of(Row row) const;
  bool is_wanted(Row row, const Array& values) const;

  RowPrinterPtr printer_;
  const RowPrinter& local_printer_;
  std::string as_;
  pipeline::Path local_path_;
  std::optional<filter::Path> foreign_path_;
  // The entries that hold the root fields of localField and foreignField.
  std::optional<std::size_t> local_, foreign_;
  std::unique_ptr<KeySearch> search_;
  std::string json_;
};

}  // namespace gantry::data
