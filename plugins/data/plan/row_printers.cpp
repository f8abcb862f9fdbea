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

}  // namespace

RowPrinterPtr RowPrinters::of(const Scope& scope, const ClassView& cls) {
  const std::lock_guard held(mutex_);
  if (!scope_ || !scope_->shares_views(scope)) {
    printers_.clear();
    scope_ = scope;
  }
  const auto [known, is_new] = printers_.try_emplace(&cls);
  if (is_new) known->second = make_printer(cls);
  return known->second;
}

RowPrinterPtr document_printer(const ReadContext& context, const ClassView& cls) {
  if (context.printers == nullptr) return make_printer(cls);
  return context.printers->of(context.scope, cls);
}

}  // namespace gantry::data
