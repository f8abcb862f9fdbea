// ops/row_printers.hpp: the printers of documents by class, kept from answer to answer.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "rows/row_printer.hpp"

namespace gantry::data {

struct Request;

using RowPrinterPtr = std::shared_ptr<const RowPrinter>;

// The printers of one catalog's classes, for scopes of all classes. Those of the previous catalog
// are dropped when another one is used. Any thread.
class RowPrinters {
 public:
  // As document_printer(); `cls` is of the scope's catalog.
  RowPrinterPtr of(const Scope& scope, const ClassInfo& cls);

 private:
  std::mutex mutex_;
  CatalogPtr catalog_;
  std::unordered_map<const ClassInfo*, RowPrinterPtr> printers_;
};

// Prints all fields that the request's scope shows; kept in the request's memory if that may be.
// Null: the class's rows cannot be printed as documents directly.
RowPrinterPtr document_printer(const Request& request, const ClassInfo& cls);

}  // namespace gantry::data
