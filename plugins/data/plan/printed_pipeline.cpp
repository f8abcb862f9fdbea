#include "plan/printed_pipeline.hpp"

#include <algorithm>
#include <memory>

#include "errors/query_error.hpp"
#include "pipeline/stages.hpp"
#include "plan/plan_run.hpp"
#include "plan/printed_join.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

// The range of output documents that are returned.
struct Bounds {
  std::uint64_t skip = 0;
  std::uint64_t limit = kAllDocuments;

  void skip_more(std::uint64_t count) {
    count = std::min(count, limit);
    if (limit != kAllDocuments) limit -= count;
    skip = skip > kAllDocuments - count ? kAllDocuments : skip + count;
  }
  void limit_to(std::uint64_t count) { limit = std::min(limit, count); }
};

// The stages that the planner left, if they have the supported form.
struct Rest {
  const Value* lookup = nullptr;
  // All: keeps rows without joined documents.
  enum class Unwind { none, full, all } unwind = Unwind::none;
  Bounds bounds;
};

// {$unwind: "$as"} and {$unwind: {path, preserveNullAndEmptyArrays}}.
bool read_unwind(const Value& spec, const Value& lookup, Rest& rest) {
  const Value& path = spec.is_object() ? spec.find("path") : spec;
  const Value& keeps = spec.find("preserveNullAndEmptyArrays");
  const std::size_t known = keeps.is_missing() ? 1 : 2;
  if (spec.is_object() && spec.members().size() != known) return false;
  const Value& as = lookup.find("as");
  if (!path.is_string() || !as.is_string()) return false;
  if (path.text() != "$" + std::string(as.text())) return false;
  const bool keeps_empty = keeps.is_boolean() && keeps.truth();
  rest.unwind = keeps_empty ? Rest::Unwind::all : Rest::Unwind::full;
  return true;
}

std::optional<Rest> rest_of(const Array& residual) {
  Rest rest;
  for (std::size_t i = 0; i < residual.size(); ++i) {
    const auto& [name, spec] = residual[i].members().front();
    if (name == "$limit") {
      rest.bounds.limit_to(pipeline::read_limit(spec));
    } else if (name == "$skip") {
      rest.bounds.skip_more(pipeline::read_skip(spec));
    } else if (i == 0 && name == "$lookup") {
      rest.lookup = &spec;
    } else if (i != 1 || name != "$unwind" || rest.lookup == nullptr ||
               !read_unwind(spec, *rest.lookup, rest)) {
      return std::nullopt;
    }
  }
  return rest;
}

class Printing {
 public:
  Printing(const ReadContext& context, const RowPrinter& printer, DirectLookup* join,
           const Rest& rest, std::uint64_t most)
      : printer_(printer),
        join_(join),
        rest_(rest),
        most_(most),
        room_(context.room_for_rows()),
        left_(rest.bounds.limit),
        skipped_(rest.bounds.skip) {
    constexpr std::size_t kMostAnswers = 4096;  // an upper limit of returned documents
    out_.rows.reserve(kMostAnswers);
    if (join != nullptr) field_ = quoted_json(join->field()) + ":";
  }

  // `rows`: those that printer.reader() reads. False: the answer cannot be printed
  // directly.
  bool run(Cursor& rows) {
    while (left_ > 0 && !out_.has_more && rows.next()) {
      Spending::step_current();
      if (!add_row(rows.row())) return false;
    }
    check_end(rows);
    out_.rows += ']';
    return true;
  }

  DirectAnswer take() { return std::move(out_); }

 private:
  // Whether the next document is in the returned range.
  bool is_next() {
    if (left_ == 0 || out_.has_more) return false;
    if (skipped_ > 0) return --skipped_, false;
    out_.has_more = out_.count == most_;
    return !out_.has_more;
  }
  void begin() {
    if (out_.count++ > 0) out_.rows += ',';
    --left_;
  }
  bool has_room() const { return out_.rows.size() <= room_; }

  bool add_row(Row row) {
    if (rest_.unwind != Rest::Unwind::none) return unwind(row);
    if (!is_next()) return true;
    begin();
    printer_.append_document(row, out_.rows);
    if (join_ == nullptr) return has_room();
    begin_field(out_.rows);
    out_.rows += '[';
    bool is_first = true;
    const auto add = [&](std::string_view json) {
      if (!is_first) out_.rows += ',';
      is_first = false;
      out_.rows += json;
      return has_room();
    };
    if (!join_->visit(row, add)) return false;
    out_.rows += "]}";
    return has_room();
  }

  // Removes the end of an object so that a field can be appended.
  void begin_field(std::string& object) const {
    object.pop_back();
    if (object.back() != '{') object += ',';
    object += field_;
  }

  // Writes one document for each joined document.
  bool unwind(Row row) {
    row_.clear();
    bool is_alone = true;
    const auto add = [&](std::string_view json) {
      is_alone = false;
      if (!is_next()) return left_ > 0 && !out_.has_more;
      if (row_.empty()) open_row(row);
      begin();
      out_.rows.append(row_).append(json) += '}';
      return has_room();
    };
    if (!join_->visit(row, add) || !has_room()) return false;
    if (!is_alone || rest_.unwind == Rest::Unwind::full || !is_next()) return true;
    begin();
    printer_.append_document(row, out_.rows);
    return has_room();
  }

  void open_row(Row row) {
    printer_.append_document(row, row_);
    begin_field(row_);
  }

  const RowPrinter& printer_;
  DirectLookup* join_;
  const Rest& rest_;
  const std::uint64_t most_;
  const std::size_t room_;
  std::uint64_t left_, skipped_;
  std::string field_;  // "\"as\":"
  std::string row_;    // for $unwind: the row up to the value of that field
  DirectAnswer out_;
};

}  // namespace

std::optional<DirectAnswer> direct_aggregate(const ReadContext& context, const ClassView* cls,
                                             ClassSource& source, const Plan& plan,
                                             std::uint64_t most) {
  if (!context.settings.pushdown || cls == nullptr) return {};
  const auto rest = rest_of(plan.residual);
  if (!rest || !plan.count.empty()) return {};
  const RowPrinterPtr printer = document_printer(context, *cls);
  if (!printer) return {};
  std::unique_ptr<DirectLookup> join;
  if (rest->lookup != nullptr) {
    join = DirectLookup::make(context, source, *rest->lookup, *printer);
    if (!join) return {};
  }
  Printing printing(context, *printer, join.get(), *rest, most);
  const CursorPtr rows = source.prepare(plan_sql(plan, *cls, printer->reader().select_list()));
  if (!printing.run(*rows)) return {};
  return printing.take();
}

}  // namespace gantry::data
