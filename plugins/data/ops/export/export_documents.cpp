#include <algorithm>

#include "filter/columns/refusal.hpp"
#include "ops/documents_reply.hpp"
#include "ops/export/export_filling.hpp"
#include "ops/pipeline_arguments.hpp"
#include "plan/class_source.hpp"
#include "plan/typing/parse_form.hpp"
#include "policy/internal.hpp"
#include "rows/class_reader.hpp"
#include "values/extended_json.hpp"

namespace gantry::data {
namespace {

// Documents beyond the row cap are counted up to this number.
constexpr std::uint64_t kMostCounted = 1'000'000;

// A last stage for the columns: unknown fields are refused, and no other fields are read.
void append_projection(const std::vector<Column>& columns, const Value& computed, Value& stages) {
  if (columns.empty()) return;
  ObjectBuilder fields;
  for (const Column& column : columns) fields.set(root_of(column.path), Value::integer(1));
  if (computed.is_object()) {
    for (const Member& one : computed.members()) fields.set(one.name, one.value);
  }
  stages.own_elements().push_back(object_of("$project", fields.build()));
}

// The last stage keeps whole fields, so the requested paths below them are checked here.
void refuse_internal(const ClassView& cls, std::string_view path) {
  if (names_internal(path)) columns::refuse_field(path, cls);
}

// Adds the documents of a read to the builder and counts those beyond the cap.
class ExportSink final : public ReadSink {
 public:
  ExportSink(const Request& request, const Read& read, Filling& filling)
      : filling_(filling), dialect_(dialect_of(read.view, request.settings.row_form)) {
    if (dialect_ == JsonDialect::parse) documents_ = documents_of(request, read);
  }

  bool add(Value& document, ClassSource& /*source*/) override {
    if (!filling_.next()) return ++beyond_ < kMostCounted;
    text_.clear();
    append_value_json(documents_ ? typing::in_parse_form(document, *documents_) : document,
                      dialect_, text_);
    filling_.builder.add(text_);
    return true;
  }

  ExportedRows finish() {
    ExportedRows shown = filling_.shown;
    shown.is_cut = beyond_ > 0;
    if (shown.is_cut && beyond_ < kMostCounted) shown.available = shown.count + beyond_;
    return shown;
  }

 private:
  Filling& filling_;
  const JsonDialect dialect_;
  typing::TypePtr documents_;  // for the form parse
  std::uint64_t beyond_ = 0;
  std::string text_;
};

ExportedRows fill(const Request& request, const Read& read, Filling& filling) {
  ExportSink sink(request, read, filling);
  run_read(request, read, sink);
  return sink.finish();
}

}  // namespace

ExportedRows fill_from_pipeline(const Request& request, Filling filling) {
  Value stages = requested_stages(request);
  append_projection(filling.what.columns, filling.what.computed, stages);
  return fill(request, pipeline_read(request, stages), filling);
}

ExportedRows fill_from_documents(const Request& request, Read read, Filling filling) {
  if (!read.shape.includes.empty()) {
    throw QueryError(invalid_argument(
        "include: an export of documents has none; join with a $lookup in a pipeline"));
  }
  const auto& columns = filling.what.columns;
  for (const std::string_view key : read.shape.keys) refuse_internal(*read.view, key);
  for (const Column& column : columns) refuse_internal(*read.view, column.path);
  // Keys are whole fields here, and columns say more than keys.
  std::vector<Column> kept = columns;
  if (kept.empty()) {
    for (const std::string_view key : read.shape.keys) kept.push_back({std::string(key), {}});
  }
  read.shape = {};
  read.stages = Value::array({});
  append_projection(kept, filling.what.computed, read.stages);
  return fill(request, read, filling);
}

}  // namespace gantry::data
