#include "plan/row_printers.hpp"

#include <algorithm>

#include "plan/context.hpp"
#include "store/store.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

RowPrinterPtr make_printer(const ClassView& cls) {
  if (cls.is_open()) return nullptr;
  ValueReader reader = ValueReader::compile(cls, nullptr);
  const bool has_texts = std::all_of(reader.names().begin(), reader.names().end(), is_utf8);
  if (!has_texts || reader.column_count() > kMostColumns) return nullptr;
  return std::make_shared<const RowPrinter>(std::move(reader), JsonDialect::plain);
}

RowPrinterPtr make_printer(const RowFields& shown) {
  ValueReader reader = ValueReader::compile(shown.cls, shown.common, shown.fields, shown.form);
  return std::make_shared<const RowPrinter>(std::move(reader), shown.form);
}

}  // namespace

// The lock is held.
RowPrinters::OfClass& RowPrinters::of(const Scope& scope, const ClassView& cls) {
  if (!scope_ || !scope_->shares_views(scope)) {
    printers_.clear();
    scope_ = scope;
  }
  return printers_[&cls];
}

RowPrinterPtr RowPrinters::of_documents(const Scope& scope, const ClassView& cls) {
  const std::lock_guard held(mutex_);
  auto& known = of(scope, cls).documents;
  if (!known) known = make_printer(cls);
  return *known;
}

RowPrinterPtr RowPrinters::of_rows(const Scope& scope, const RowFields& shown) {
  const std::lock_guard held(mutex_);
  OfClass& known = of(scope, shown.cls);
  const bool is_same = known.rows && known.form == shown.form && known.fields == shown.fields &&
                       std::equal(known.common.begin(), known.common.end(), shown.common.begin(),
                                  shown.common.end());
  if (!is_same) {
    known.rows = make_printer(shown);
    known.common.assign(shown.common.begin(), shown.common.end());
    known.fields = shown.fields;
    known.form = shown.form;
  }
  return known.rows;
}

RowPrinterPtr document_printer(const ReadContext& context, const ClassView& cls) {
  if (context.printers == nullptr) return make_printer(cls);
  return context.printers->of_documents(context.scope, cls);
}

RowPrinterPtr row_printer(const ReadContext& context, const RowFields& shown) {
  if (context.printers == nullptr) return make_printer(shown);
  return context.printers->of_rows(context.scope, shown);
}

}  // namespace gantry::data
