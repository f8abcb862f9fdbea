#include "ops/row_reader.hpp"

#include <algorithm>
#include <span>
#include <unordered_set>

#include "errors/query_error.hpp"
#include "ops/json_parts.hpp"
#include "plan/read.hpp"
#include "plan/row_printers.hpp"
#include "values/json_text.hpp"
#include "values/pointer.hpp"
#include "view/object_id.hpp"
#include "view/value_writer.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kIdsAStatement = 256;
// Upper limit of the memory for kept rows, far above any answer.
constexpr std::size_t kMostKept = 256u << 20;

Fragment select_statement(const RowPrinter& printer, const Selection& selection,
                          const Clauses& clauses) {
  std::string columns = printer.reader().select_list();
  for (const auto& [field, paths] : selection.parts) columns += "," + field->column;
  return select_rows(*selection.cls, columns, clauses);
}

// JSON fields that are returned in part follow the printer's columns.
void append_parts(Row row, const RowPrinter& printer, const Selection& selection, std::string& out,
                  std::vector<std::size_t>& bytes) {
  if (selection.parts.empty()) return;
  out.pop_back();  // '}'
  for (std::size_t i = 0; i < selection.parts.size(); ++i) {
    const auto& [field, paths] = selection.parts[i];
    const std::size_t before = out.size();
    if (out.back() != '{') out += ',';
    append_json_string(field->name, out);
    out += ':';
    const StoredValue value = row[printer.reader().column_count() + i];
    append_json_parts(value.is_text() ? value.bytes : std::string_view(), paths,
                      selection.cls->classes.get(), out);
    bytes[printer.names().size() + i] += out.size() - before;
  }
  out += '}';
}

std::string included_object(const ClassView& cls, std::string_view row, JsonDialect form) {
  if (form == JsonDialect::plain) return std::string(row);
  std::string object = R"({"__type":"Object","className":)" + quoted_json(cls.name);
  if (row.size() > 2) object += ',';
  return object.append(row.substr(1));
}

}  // namespace

// The place of an included object: offset `at` in the rows' text, for entry `entry` of the printer.
struct RowReader::Hole {
  std::size_t at, entry;
  std::string id;
  std::string pointer;  // what is shown if there is no such object
};

// Records a hole for each included pointer.
class RowReader::HoleMaker final : public PointerHook {
 public:
  HoleMaker(const RowPrinter& printer, const Selection& selection)
      : printer_(printer), included_(printer.names().size()) {
    for (std::size_t i = 0; i < included_.size(); ++i) {
      included_[i] = selection.includes.count(printer.names()[i]) > 0;
    }
  }

  bool write(std::size_t entry, const StoredValue& id, JsonAppender& out) override {
    if (!included_[entry]) return false;
    Hole& hole = holes.emplace_back(Hole{out.size(), entry, id_text(id), {}});
    JsonAppender json(hole.pointer);
    printer_.reader().entries()[entry].form.write(id, printer_.form(), json);
    json.flush();
    return true;
  }

  std::vector<Hole> holes;

 private:
  const RowPrinter& printer_;
  std::vector<bool> included_;
};

void Rows::truncate(std::size_t n) {
  if (n >= kept()) return;
  text.resize(n == 0 ? 1 : ends[n - 1]);
  ends.resize(n);
}

// A read in progress and the rows read so far.
struct RowReader::Scan {
  Scan(const Selection& what, RowPrinterPtr how, CursorPtr running)
      : selection(what),
        kept(std::move(how)),
        printer(*kept),
        holes(printer, what),
        cursor(std::move(running)),
        bytes(printer.names().size() + what.parts.size(), 0) {}

  const Selection& selection;
  const RowPrinterPtr kept;
  const RowPrinter& printer;
  HoleMaker holes;
  CursorPtr cursor;
  std::vector<std::size_t> bytes;  // by entry, for the current batch
  bool at_end = false;
};

std::unique_ptr<RowReader::Scan> RowReader::open(const Selection& selection,
                                                 const Clauses& clauses) {
  RowPrinterPtr printer =
      row_printer(source_.context(), {*selection.cls, selection.common, selection.fields, form_});
  if (printer->reader().column_count() + selection.parts.size() > kMostColumns) {
    throw QueryError(invalid_argument(
        "Class '" + selection.cls->name + "' has more columns than one read can return; name at " +
        "most " + std::to_string(kMostColumns - 4) + " of them in keys"));
  }
  CursorPtr cursor = source_.prepare(select_statement(*printer, selection, clauses));
  return std::make_unique<Scan>(selection, std::move(printer), std::move(cursor));
}

Rows RowReader::next(Scan& scan, bool with_ids, std::size_t keep_bytes, const Batch& batch) {
  const RowPrinter& printer = scan.printer;
  HoleMaker& holes = scan.holes;
  holes.holes.clear();
  std::fill(scan.bytes.begin(), scan.bytes.end(), 0);
  RowOptions options;
  options.pointers = scan.selection.includes.empty() ? nullptr : &holes;
  options.with_nulls = scan.selection.with_nulls;
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
    append_parts(row, printer, scan.selection, rows.text, scan.bytes);
    rows.bytes += rows.text.size() - before + counted;
    if (rows.bytes > options.longest) {
      rows.text.resize(before);
      holes.holes.resize(known);
      continue;
    }
    rows.ends.push_back(rows.text.size());
    if (with_ids) printer.reader().append_id(row, rows.ids.emplace_back());
  }
  check_end(*scan.cursor);
  if (!holes.holes.empty()) fill(rows, printer, scan.selection, holes.holes, scan.bytes);
  return rows;
}

// Called when a value exceeds the limit for values. Rows are weighed by the sizes of their BLOBs,
// which SQLite knows without reading them; of a text only the fact that it exceeds the limit is
// known.
Rows RowReader::measure(const Selection& selection, const Clauses& clauses,
                        const RowPrinter& printer) {
  std::string sizes;
  for (const std::string& column : printer.reader().columns()) {
    sizes += (sizes.empty() ? "CASE typeof(" : ",CASE typeof(") + column +
             ") WHEN 'blob' THEN length(" + column + ") ELSE 0 END";
  }
  const CursorPtr cursor = source_.prepare(select_rows(*selection.cls, sizes, clauses));
  std::vector<std::size_t> bytes(printer.names().size(), 0);
  Rows rows;
  while (cursor->next()) {
    ++rows.count;
    const Row row = cursor->row();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] +=
          static_cast<std::size_t>(row[printer.reader().entries()[i].column].integer) / 3 * 4;
    }
  }
  check_end(*cursor);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    rows.bytes += bytes[i];
    rows.weights.emplace_back(printer.names()[i], bytes[i]);
  }
  rows.bytes = std::max(rows.bytes, kMostValueBytes);
  return rows;
}

Rows RowReader::read(const Selection& selection, const Clauses& clauses, bool with_ids,
                     std::size_t keep_bytes) {
  const auto scan = open(selection, clauses);
  Rows rows;
  try {
    rows = next(*scan, with_ids, keep_bytes, {});
  } catch (const QueryError&) {
    if (scan->cursor->status().code() != GANTRY_TOO_BIG) throw;
    return measure(selection, clauses, scan->printer);
  }
  const std::vector<std::string>& names = scan->printer.names();
  rows.weights.reserve(scan->bytes.size());
  for (std::size_t i = 0; i < scan->bytes.size(); ++i) {
    const bool part = i >= names.size();
    rows.weights.emplace_back(part ? selection.parts[i - names.size()].first->name : names[i],
                              scan->bytes[i]);
  }
  return rows;
}

void RowReader::visit(const Selection& selection, const Clauses& clauses, const Visit& visit) {
  constexpr Batch kBatch{512, 1u << 20};
  const auto scan = open(selection, clauses);
  while (!scan->at_end) {
    const Rows rows = next(*scan, false, kMostKept, kBatch);
    if (rows.kept() < rows.count) {
      throw QueryError(invalid_argument("A row is too large to be read"));
    }
    for (std::size_t i = 0; i < rows.kept(); ++i) {
      if (!visit(rows.object(i))) return;
    }
  }
}

void RowReader::visit_plain(const Selection& selection, const Clauses& clauses,
                            const VisitPlain& visit) {
  const auto scan = open(selection, clauses);
  Cursor& cursor = *scan->cursor;
  while (cursor.next()) {
    if (!visit(scan->printer, cursor.row())) return;
  }
  check_end(cursor);
}

void RowReader::fill(Rows& rows, const RowPrinter& printer, const Selection& selection,
                     const std::vector<Hole>& holes, std::vector<std::size_t>& bytes) {
  std::vector<Objects> objects(printer.names().size());
  for (std::size_t entry = 0; entry < objects.size(); ++entry) {
    const auto include = selection.includes.find(printer.names()[entry]);
    if (include == selection.includes.end()) continue;
    std::vector<std::string> wanted;
    std::unordered_set<std::string_view> seen;
    for (const Hole& hole : holes) {
      if (hole.entry == entry && seen.insert(hole.id).second) wanted.push_back(hole.id);
    }
    objects[entry] = fetch(include->second, wanted);
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
    text += it == objects[hole.entry].end() ? hole.pointer : it->second;
    bytes[hole.entry] += text.size() - before;
    rows.bytes += text.size() - before;
    if (text.size() > kMostKept) {
      throw QueryError(
          invalid_argument("The included objects are too large; include fewer or ask for keys"));
    }
  }
  finish_rows_before(rows.text.size());
  rows.text = std::move(text);
}

RowReader::Objects RowReader::fetch(const Selection& target, const std::vector<std::string>& ids) {
  Objects objects;
  for (std::size_t from = 0; from < ids.size(); from += kIdsAStatement) {
    const std::size_t to = std::min(ids.size(), from + kIdsAStatement);
    const auto some_ids = std::span(ids).subspan(from, to - from);
    const Read some{target.cls, std::vector<std::string_view>(some_ids.begin(), some_ids.end())};
    read_rows(source_, some, [&](ClassSource& /*source*/, const Clauses& clauses) {
      Rows rows = read(target, clauses, true, kMostKept);
      for (std::size_t i = 0; i < rows.kept(); ++i) {
        objects.emplace(std::move(rows.ids[i]),
                        included_object(*target.cls, rows.object(i), form_));
      }
    });
  }
  return objects;
}

}  // namespace gantry::data
