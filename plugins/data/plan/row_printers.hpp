// plan/row_printers.hpp: the printers of rows and documents by class, kept from answer to answer.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rows/row_printer.hpp"
#include "view/scope.hpp"

namespace gantry::data {

struct ReadContext;

using RowPrinterPtr = std::shared_ptr<const RowPrinter>;

// The fields of a read's rows, as ValueReader::compile() takes them.
struct RowFields {
  const ClassView& cls;
  const std::vector<std::string_view>& common;
  const std::vector<const FieldView*>& fields;
  JsonDialect form;
};

// The printers of the classes that one scope shows: of each class that of its documents, and that
// of the rows that were printed last. Those of the previous scope are dropped when another one is
// used. Any thread.
class RowPrinters {
 public:
  // As the functions below; the class is of the scope.
  RowPrinterPtr of_documents(const Scope& scope, const ClassView& cls);
  RowPrinterPtr of_rows(const Scope& scope, const RowFields& shown);

 private:
  struct OfClass {
    std::optional<RowPrinterPtr> documents;
    std::vector<std::string> common;  // of `rows`, as are the next two
    std::vector<const FieldView*> fields;
    JsonDialect form = JsonDialect::plain;
    RowPrinterPtr rows;
  };
  OfClass& of(const Scope& scope, const ClassView& cls);

  std::mutex mutex_;
  std::optional<Scope> scope_;  // keeps its views, whose addresses are the keys
  std::unordered_map<const ClassView*, OfClass> printers_;
};

// Prints all fields that the request's scope shows; kept in the request's memory if it has one.
// Null: the class's rows cannot be printed as documents directly.
RowPrinterPtr document_printer(const ReadContext& context, const ClassView& cls);

// Prints these fields of rows; kept in the same way.
RowPrinterPtr row_printer(const ReadContext& context, const RowFields& shown);

}  // namespace gantry::data
