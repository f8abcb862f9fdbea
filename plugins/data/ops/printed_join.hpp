// ops/printed_join.hpp: what a $lookup joins to a row, as JSON straight from the other class's
// rows.
//
// One search of an index for each row, as SQL's own join would do: so only where the database can
// search, and only for a $lookup of equal fields between classes with columns.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "match/path.hpp"
#include "ops/class_source.hpp"
#include "ops/row_printer.hpp"
#include "pipeline/spec.hpp"

namespace gantry::data {

class PrintedJoin {
 public:
  // `spec` is that of a valid $lookup whose documents go into a new field of rows that `local`
  // prints. Null: this is none for here. All outlive it.
  static std::unique_ptr<PrintedJoin> make(const Request& request, ClassSource& source,
                                           const Value& spec, const RowPrinter& local);

  const std::string& field() const { return as_; }
  // Shows `visit` each document that belongs to the current row of `statement`, as JSON, in the
  // order of its class, until it says false. False: they cannot be printed.
  using Visit = std::function<bool(std::string_view json)>;
  bool visit(sqlite3_stmt* statement, const Visit& visit);

 private:
  struct Search {
    std::string condition;
    sqlite::Statement statement;
  };

  PrintedJoin(const Request& request, ClassSource& source, const ClassInfo& cls, RowPrinter printer,
              const RowPrinter& local);

  Array values_of(sqlite3_stmt* statement) const;
  Search* search_for(const Array& values);
  Search* open(const Fragment& condition);
  bool is_wanted(sqlite3_stmt* statement, const Array& values) const;
  bool step(sqlite3_stmt* statement);

  const Request& request_;
  ClassSource& source_;
  const ClassInfo& cls_;
  RowPrinter printer_;
  const RowPrinter& local_printer_;
  std::string as_;
  pipeline::Path local_path_;
  std::optional<match::Path> foreign_path_;
  const ValueReader::Entry* local_ = nullptr;    // what its path begins with
  const ValueReader::Entry* foreign_ = nullptr;  // likewise
  std::list<Search> searches_;                   // by condition, of which there are few
  std::string json_;
};

}  // namespace gantry::data
