#include "filter/columns/whole_row.hpp"

#include <chrono>
#include <set>

#include "filter/columns/refusal.hpp"
#include "filter/condition.hpp"
#include "policy/internal.hpp"
#include "rows/value_reader.hpp"
#include "values/row_matcher.hpp"
#include "values/system_time.hpp"

namespace gantry::data::columns {
namespace {

class WholeRow final : public RowMatcher {
 public:
  WholeRow(ValueReader reader, filter::ConditionPtr condition, std::size_t slots, bool is_ruled)
      : reader_(std::move(reader)),
        condition_(std::move(condition)),
        slots_(slots),
        is_ruled_(is_ruled),
        now_(system_ms()) {}

  // Under rules a hidden column may decide which row comes first, and so which failure is told.
  bool match_row(std::span<const StoredValue> row) const override {
    try {
      return passes(row);
    } catch (const QueryError&) {
      if (!is_ruled_) throw;
      refuse("Operator " + condition_->name +
             " fails on the values of an object. Test their types first, with $type, or convert "
             "them by $convert with onError.");
    }
  }

 private:
  bool passes(std::span<const StoredValue> row) const {
    expr::Context context;
    context.slots.resize(slots_);
    context.now = now_;
    context.root = reader_.read(row);
    context.current = context.root;
    return condition_->passes(context);
  }

  ValueReader reader_;
  filter::ConditionPtr condition_;
  std::size_t slots_;
  bool is_ruled_;
  std::int64_t now_;  // the same time for all rows
};

// The same check as for the fields of a pipeline.
void check_path(std::string_view path, const Context& context) {
  if (path.empty()) return;  // the whole document
  if (names_internal(path)) refuse_field(path, context.cls);
  const std::string_view root = path.substr(0, path.find('.'));
  if (find_column(root, context.cls)) return;
  if (context.cls.find(path) == nullptr) refuse_field(root, context.cls);
  refuse_dotted(path, context.cls);
}

}  // namespace

Fragment whole_row_sql(const filter::ConditionPtr& condition, const Context& context) {
  std::set<std::string> paths;
  condition->add_paths(paths);
  for (const std::string& path : paths) check_path(path, context);
  ValueReader reader = ValueReader::compile(context.cls, &paths);
  const std::vector<std::string> columns = reader.columns();
  if (columns.size() > kMostRowColumns) {
    refuse("Operator " + condition->name + " reads " + std::to_string(columns.size()) +
           " columns of class '" + context.cls.name + "'; it may read at most " +
           std::to_string(kMostRowColumns) + ". Name the fields instead of the whole document.");
  }
  Fragment sql{"gantry_match_row(", {}};
  sql.bind(std::make_shared<WholeRow>(std::move(reader), condition,
                                      context.parser.variables().slots(), context.cls.is_ruled()));
  for (const std::string& column : columns) {
    sql.add(", ").add(column);
  }
  return std::move(sql.add(")"));
}

}  // namespace gantry::data::columns
