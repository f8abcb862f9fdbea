#include "ops/row_reader.hpp"

#include <algorithm>
#include <unordered_set>

#include "ops/json_parts.hpp"
#include "rows/object_id.hpp"
#include "rows/value_writer.hpp"
#include "store/store.hpp"
#include "values/json_text.hpp"
#include "values/pointer.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kIdsAStatement = 256;
// Upper limit of the memory for kept rows, far above any answer.
constexpr std::size_t kMostKept = 256u << 20;

void add_source(Fragment& sql, const Selection& selection, const Shape& shape) {
  sql.add(" FROM ").add(selection.cls->table);
  if (!shape.where.empty()) sql.add(" WHERE ").add(shape.where);
  if (!shape.order.empty()) sql.add(" ORDER BY ").add(shape.order);
  if (shape.limit >= 0 || shape.skip > 0) {
    sql.add(" LIMIT ").bind(shape.limit).add(" OFFSET ").bind(shape.skip);
  }
}

Fragment select_statement(const RowPrinter& printer, const Selection& selection,
                          const Shape& shape) {
  Fragment sql;
  sql.add("SELECT ").add(printer.reader().select_list());
  for (const auto& [field, paths] : selection.parts) sql.add(",").add(field->column);
  add_source(sql, selection, shape);
  return sql;
}

// JSON fields that are returned in part follow the printer's columns.
void append_parts(Row row, const RowPrinter& printer, const Selection& selection,
                  const ClassFilter* classes, std::string& out, std::vector<std::size_t>& bytes) {
  if (selection.parts.empty()) return;
  out.pop_back();  // '}'
  for (std::size_t i = 0; i < selection.parts.size(); ++i) {
    const auto& [field, paths] = selection.parts[i];
    const std::size_t before = out.size();
    if (out.back() != '{') out += ',';
    append_json_string(field->name, out);
    out += ':';
    const StoredValue value = row[printer.reader().column_count() + i];
    append_json_parts(value.is_text() ? value.bytes : std::string_view(), paths, classes, out);
    bytes[printer.names().size() + i] += out.size() - before;
  }
  out += '}';
}

std::string included_object(const ClassInfo& cls, std::string_view row) {
  std::string object = R"({"__type":"Object","className":)" + quoted_json(cls.name);
  if (row.size() > 2) object += ',';
  return object.append(row.substr(1));
}

std::string plain_pointer(const ClassInfo& cls, std::string_view id) {
  return pointer_prefix(quoted_json(cls.name)) + quoted_json(id) + '}';
}

}  // namespace

// The place of an included object: offset `at` in the rows' text, for entry `entry` of the printer.
struct RowReader::Hole {
  std::size_t at, entry;
  std::string id;
};

// Records a hole for each included pointer.
class RowReader::HoleMaker final : public PointerHook {
 public:
  HoleMaker(const RowPrinter& printer, const Selection& selection)
      : included_(printer.names().size()) {
    for (std::size_t i = 0; i < included_.size(); ++i) {
      included_[i] = selection.includes.count(printer.names()[i]) > 0;
    }
  }

  bool write(std::size_t entry, const StoredValue& id, JsonAppender& out) override {
    if (!included_[entry]) return false;
    holes.push_back({out.size(), entry, id_text(id)});
    return true;
  }

  std::vector<Hole> holes;

 private:
  std::vector<bool> included_;
};

void Rows::truncate(std::size_t n) {
  if (n >= kept()) return;
  text.resize(n == 0 ? 1 : ends[n - 1]);
  ends.resize(n);
}

// A read in progress and the rows read so far.
struct RowReader::Scan {
  Scan(const Selection& what, RowPrinter compiled, CursorPtr running)
      : selection(what),
        printer(std::move(compiled)),
        holes(printer, what),
        cursor(std::move(running)),
        bytes(printer.names().size() + what.parts.size(), 0) {}

  const Selection& selection;
  RowPrinter printer;
  HoleMaker holes;
  CursorPtr cursor;
  std::vector<std::size_t> bytes;  // by entry, for the current batch
  bool at_end = false;
};

Outcome<std::unique_ptr<RowReader::Scan>> RowReader::open(const Selection& selection,
                                                          const Shape& shape) {
  RowPrinter printer(ValueReader::compile(request_.scope, *selection.cls, selection.fields));
  if (printer.reader().column_count() + selection.parts.size() > kMostColumns) {
    return invalid_argument("Class '" + selection.cls->name + "' has more columns than one read " +
                            "can return; name at most " + std::to_string(kMostColumns - 4) +
                            " of them in keys");
  }
  auto cursor = lease_.prepare(select_statement(printer, selection, shape));
  if (!cursor) return statement_error(cursor.status());
  return std::make_unique<Scan>(selection, std::move(printer), std::move(*cursor));
}

Outcome<Rows> RowReader::next(Scan& scan, bool with_ids, std::size_t keep_bytes,
                              const Batch& batch) {
  const RowPrinter& printer = scan.printer;
  HoleMaker& holes = scan.holes;
  holes.holes.clear();
  std::fill(scan.bytes.begin(), scan.bytes.end(), 0);
  RowOptions options;
  options.pointers = scan.selection.includes.empty() ? nullptr : &holes;
  options.bytes = &scan.bytes;
  options.longest = std::min(keep_bytes, kMostKept);
  Rows rows;
  while (rows.count < batch.rows && rows.bytes < batch.bytes) {
    scan.at_end = !scan.cursor->next();
    if (scan.at_end) break;
    const std::size_t before = rows.text.size(), known = holes.holes.size();
    if (rows.count++ > 0 && rows.kept() > 0) rows.text += ',';
    const Row row = scan.cursor->row();
    const std::size_t counted = printer.append(row, rows.text, options);
    append_parts(row, printer, scan.selection, request_.scope.classes().get(), rows.text,
                 scan.bytes);
    rows.bytes += rows.text.size() - before + counted;
    if (rows.bytes > options.longest) {
      rows.text.resize(before);
      holes.holes.resize(known);
      continue;
    }
    rows.ends.push_back(rows.text.size());
    if (with_ids) printer.reader().append_id(row, rows.ids.emplace_back());
  }
  if (!scan.cursor->status()) return statement_error(scan.cursor->status());
  if (!holes.holes.empty()) {
    if (auto error = fill(rows, printer, scan.selection, holes.holes, scan.bytes)) {
      return std::move(*error);
    }
  }
  return rows;
}

// Called when a value exceeds the limit for values. Rows are weighed by the sizes of their BLOBs,
// which SQLite knows without reading them; of a text only the fact that it exceeds the limit is
// known.
Outcome<Rows> RowReader::measure(const Selection& selection, const Shape& shape,
                                 const RowPrinter& printer) {
  Fragment sql;
  sql.add("SELECT ");
  for (std::size_t i = 0; i < printer.reader().column_count(); ++i) {
    const std::string& column = printer.reader().columns()[i];
    sql.add(i == 0 ? "CASE typeof(" : ",CASE typeof(")
        .add(column)
        .add(") WHEN 'blob' THEN length(");
    sql.add(column).add(") ELSE 0 END");
  }
  add_source(sql, selection, shape);
  auto cursor = lease_.prepare(sql);
  if (!cursor) return statement_error(cursor.status());
  std::vector<std::size_t> bytes(printer.names().size(), 0);
  Rows rows;
  while ((*cursor)->next()) {
    ++rows.count;
    const Row row = (*cursor)->row();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] +=
          static_cast<std::size_t>(row[printer.reader().entries()[i].column].integer) / 3 * 4;
    }
  }
  if (!(*cursor)->status()) return statement_error((*cursor)->status());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    rows.bytes += bytes[i];
    rows.weights.emplace_back(printer.names()[i], bytes[i]);
  }
  rows.bytes = std::max(rows.bytes, kMostValueBytes);
  return rows;
}

Outcome<Rows> RowReader::read(const Selection& selection, const Shape& shape, bool with_ids,
                              std::size_t keep_bytes) {
  auto scan = open(selection, shape);
  if (!scan) return scan.error();
  auto rows = next(**scan, with_ids, keep_bytes, {});
  const Status& status = (*scan)->cursor->status();
  if (status.code() == GANTRY_TOO_BIG) return measure(selection, shape, (*scan)->printer);
  if (!rows) return rows.error();
  const std::vector<std::string>& names = (*scan)->printer.names();
  for (std::size_t i = 0; i < (*scan)->bytes.size(); ++i) {
    const bool part = i >= names.size();
    rows->weights.emplace_back(part ? selection.parts[i - names.size()].first->name : names[i],
                               (*scan)->bytes[i]);
  }
  return rows;
}

std::optional<DataError> RowReader::visit(const Selection& selection, const Shape& shape,
                                          const Visit& visit) {
  constexpr Batch kBatch{512, 1u << 20};
  auto scan = open(selection, shape);
  if (!scan) return scan.error();
  while (!(*scan)->at_end) {
    auto rows = next(**scan, false, kMostKept, kBatch);
    if (!rows) return rows.error();
    if (rows->kept() < rows->count) return invalid_argument("A row is too large to be read");
    for (std::size_t i = 0; i < rows->kept(); ++i) {
      if (!visit(rows->object(i))) return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<DataError> RowReader::visit_plain(const Selection& selection, const Shape& shape,
                                                const VisitPlain& visit) {
  auto scan = open(selection, shape);
  if (!scan) return scan.error();
  Cursor& cursor = *(*scan)->cursor;
  while (cursor.next()) {
    if (!visit((*scan)->printer, cursor.row())) return std::nullopt;
  }
  if (!cursor.status()) return statement_error(cursor.status());
  return std::nullopt;
}

std::optional<DataError> RowReader::fill(Rows& rows, const RowPrinter& printer,
                                         const Selection& selection, const std::vector<Hole>& holes,
                                         std::vector<std::size_t>& bytes) {
  std::vector<Objects> objects(printer.names().size());
  std::vector<const Selection*> targets(printer.names().size(), nullptr);
  for (std::size_t entry = 0; entry < targets.size(); ++entry) {
    const auto include = selection.includes.find(printer.names()[entry]);
    if (include == selection.includes.end()) continue;
    targets[entry] = &include->second;
    std::vector<std::string> wanted;
    std::unordered_set<std::string_view> seen;
    for (const Hole& hole : holes) {
      if (hole.entry == entry && seen.insert(hole.id).second) wanted.push_back(hole.id);
    }
    auto found = fetch(include->second, wanted);
    if (!found) return found.error();
    objects[entry] = std::move(*found);
  }
  std::string text;
  std::size_t row = 0, copied = 0;
  const auto copy_to = [&](std::size_t end) {
    text.append(rows.text, copied, end - copied);
    copied = end;
  };
  const auto finish_rows_before = [&](std::size_t position) {
    while (row < rows.ends.size() && rows.ends[row] <= position) {
      copy_to(rows.ends[row]);
      rows.ends[row++] = text.size();
    }
  };
  for (const Hole& hole : holes) {
    finish_rows_before(hole.at);
    copy_to(hole.at);
    const std::size_t before = text.size();
    const auto it = objects[hole.entry].find(hole.id);
    // A pointer to a missing object stays a pointer.
    text += it == objects[hole.entry].end() ? plain_pointer(*targets[hole.entry]->cls, hole.id)
                                            : it->second;
    bytes[hole.entry] += text.size() - before;
    rows.bytes += text.size() - before;
    if (text.size() > kMostKept) {
      return invalid_argument("The included objects are too large; include fewer or ask for keys");
    }
  }
  finish_rows_before(rows.text.size());
  rows.text = std::move(text);
  return std::nullopt;
}

Outcome<RowReader::Objects> RowReader::fetch(const Selection& target,
                                             const std::vector<std::string>& ids) {
  Objects objects;
  const Field& key = target.cls->fields[target.cls->id_fields.at(0)];
  for (std::size_t from = 0; from < ids.size(); from += kIdsAStatement) {
    const std::size_t to = std::min(ids.size(), from + kIdsAStatement);
    std::vector<Bind> values;
    for (std::size_t i = from; i < to; ++i) {
      for (Bind& value : id_values(key, ids[i])) values.push_back(std::move(value));
    }
    if (values.empty()) continue;
    Shape shape;
    shape.where.add(key.column).add(" IN (");
    // Padded to a power of two: few different SQL texts, which the statement cache can reuse.
    std::size_t size = 1;
    while (size < values.size()) size *= 2;
    for (std::size_t i = 0; i < size; ++i) {
      if (i > 0) shape.where.add(",");
      shape.where.bind(values[std::min(i, values.size() - 1)]);
    }
    shape.where.add(")");
    auto rows = read(target, shape, true, kMostKept);
    if (!rows) return rows.error();
    for (std::size_t i = 0; i < rows->kept(); ++i) {
      objects.emplace(std::move(rows->ids[i]), included_object(*target.cls, rows->object(i)));
    }
  }
  return objects;
}

}  // namespace gantry::data
