#include "ops/row_printers.hpp"

#include <algorithm>

#include "ops/request.hpp"
#include "store/store.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

RowPrinterPtr make_printer(const Scope& scope, const ClassInfo& cls) {
  if (!cls.document.empty()) return nullptr;
  // _id would be the alias, and an object with __type could look like a pointer.
  for (const std::string_view name : {"_id", "__type"}) {
    if (scope.find_field(cls, name) != nullptr) return nullptr;
  }
  ValueReader reader = ValueReader::compile(scope, cls, nullptr);
  const auto is_text = [](const ValueReader::Entry& entry) { return is_utf8(entry.form.target()); };
  const bool has_texts = std::all_of(reader.names().begin(), reader.names().end(), is_utf8) &&
                         std::all_of(reader.entries().begin(), reader.entries().end(), is_text);
  if (!has_texts || reader.column_count() > kMostColumns) return nullptr;
  return std::make_shared<const RowPrinter>(std::move(reader));
}

}  // namespace

RowPrinterPtr RowPrinters::of(const Scope& scope, const ClassInfo& cls) {
  const std::lock_guard held(mutex_);
  if (catalog_ != scope.catalog_ptr()) {
    printers_.clear();
    catalog_ = scope.catalog_ptr();
  }
  const auto [known, is_new] = printers_.try_emplace(&cls);
  if (is_new) known->second = make_printer(scope, cls);
  return known->second;
}

RowPrinterPtr document_printer(const Request& request, const ClassInfo& cls) {
  const bool may_keep = request.printers != nullptr && request.scope.classes() == nullptr;
  return may_keep ? request.printers->of(request.scope, cls) : make_printer(request.scope, cls);
}

}  // namespace gantry::data
