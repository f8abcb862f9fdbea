#include "rows/class_reader.hpp"

#include "rows/value_reader.hpp"
#include "values/matcher.hpp"

namespace gantry::data {
namespace {

class ColumnRows final : public ClassReader {
 public:
  ColumnRows(const ClassView& cls, const std::set<std::string>* paths)
      : reader_(ValueReader::compile(cls, paths)) {}
  const std::string& select_list() const override { return reader_.select_list(); }
  std::size_t column_count() const override { return reader_.column_count(); }
  Value read(Row row) const override { return reader_.read(row); }

 private:
  ValueReader reader_;
};

class DocumentRows final : public ClassReader {
 public:
  DocumentRows(const ClassView& cls, DocumentReader::Ids ids) : reader_(cls, ids) {}
  const std::string& select_list() const override { return reader_.select_list(); }
  std::size_t column_count() const override { return 1; }  // and those of the key
  Value read(Row row) const override { return reader_.read(row); }

 private:
  DocumentReader reader_;
};

// Accepts the rows that the document reader accepts.
class DocumentMatcher final : public Matcher {
 public:
  bool match(const StoredValue& value) const override {
    if (!value.is_text()) return false;
    const auto document = read_extended(value.bytes);
    return document && document->is_object();
  }
};

}  // namespace

std::unique_ptr<const ClassReader> class_reader(const ClassView& cls,
                                                const std::set<std::string>* paths,
                                                DocumentReader::Ids ids) {
  if (cls.is_document()) return std::make_unique<DocumentRows>(cls, ids);
  return std::make_unique<ColumnRows>(cls, paths);
}

std::optional<Fragment> rows_without_document(const ClassView& cls) {
  if (!cls.is_document()) return std::nullopt;
  Fragment none{"NOT gantry_match(", {}};
  none.bind(std::make_shared<DocumentMatcher>()).add(", " + cls.document + ")");
  return none;
}

JsonDialect dialect_of(const ClassView* cls, JsonDialect row_form) {
  return cls != nullptr && cls->is_document() ? JsonDialect::extended : row_form;
}

}  // namespace gantry::data
