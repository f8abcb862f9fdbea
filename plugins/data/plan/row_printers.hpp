// plan/row_printers.hpp: the printers of documents by class, kept from answer to answer.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "rows/row_printer.hpp"
#include "view/scope.hpp"

namespace gantry::data {

struct ReadContext;

using RowPrinterPtr = std::shared_ptr<const RowPrinter>;

// The printers of the classes that one scope shows. Those of the previous scope are dropped when
// another one is used. Any thread.
class RowPrinters {
 public:
  // As document_printer(); `cls` is of the scope.
  RowPrinterPtr of(const Scope& scope, const ClassView& cls);

 private:
  std::mutex mutex_;
  std::optional<Scope> scope_;  // keeps its views, whose addresses are the keys
  std::unordered_map<const ClassView*, RowPrinterPtr> printers_;
};

// Prints all fields that the request's scope shows; kept in the request's memory if it has one.
// Null: the class's rows cannot be printed as documents directly.
RowPrinterPtr document_printer(const ReadContext& context, const ClassView& cls);

}  // namespace gantry::data
