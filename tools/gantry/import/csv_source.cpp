// CSV by libcsv, as RFC 4180 has it: spaces belong to fields, quotes only around whole fields.
#include <csv.h>

#include <new>
#include <unordered_set>

#include "tools/gantry/import/source.hpp"
#include "values/utf8.hpp"

namespace gantry::cli::importing {
namespace {

constexpr std::size_t kLongestField = 256u << 20;

class Parser {
 public:
  Parser(char delimiter, void* owner) : owner_(owner) {
    constexpr unsigned char kOptions = CSV_STRICT | CSV_STRICT_FINI | CSV_EMPTY_IS_NULL;
    if (csv_init(&parser_, kOptions) != 0) throw std::bad_alloc();
    csv_set_delim(&parser_, static_cast<unsigned char>(delimiter));
    csv_set_space_func(&parser_, [](unsigned char) { return 0; });
    csv_set_blk_size(&parser_, 4096);
  }
  ~Parser() { csv_free(&parser_); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  using OnField = void (*)(void*, std::size_t, void*);
  using OnEnd = void (*)(int, void*);
  bool feed(std::string_view part, OnField field, OnEnd end) {
    return csv_parse(&parser_, part.data(), part.size(), field, end, owner_) == part.size();
  }
  bool finish(OnField field, OnEnd end) { return csv_fini(&parser_, field, end, owner_) == 0; }
  std::size_t buffered() { return csv_get_buffer_size(&parser_); }

 private:
  csv_parser parser_{};
  void* owner_;
};

class CsvSource final : public Source {
 public:
  CsvSource(Input& input, std::optional<char> delimiter) : input_(input), delimiter_(delimiter) {}
  Status each(const TakeRow& take) override;

 private:
  static void on_field(void* text, std::size_t size, void* self);
  static void on_end(int, void* self) { static_cast<CsvSource*>(self)->end_record(); }
  void end_record();
  Status take_header();
  Status take_record();
  Status broken(const std::string& what) const;

  Input& input_;
  std::optional<char> delimiter_;
  const TakeRow* take_ = nullptr;
  std::vector<std::string> header_;
  std::vector<Cell> record_;
  std::size_t begins_ = 0;  // line of the record
  bool fresh_ = true;       // no record has begun
  Row row_;
  Status status_;
};

void CsvSource::on_field(void* text, std::size_t size, void* self) {
  auto& source = *static_cast<CsvSource*>(self);
  Cell cell;
  if (text != nullptr) {
    cell.type = Cell::Type::lexical;
    cell.text.assign(static_cast<const char*>(text), size);
  }
  source.record_.push_back(std::move(cell));
}

void CsvSource::end_record() {
  if (status_) status_ = header_.empty() ? take_header() : take_record();
  record_.clear();
  fresh_ = true;
}

Status CsvSource::broken(const std::string& what) const {
  return Status::failed(input_.name() + " line " + std::to_string(begins_) + ": " + what);
}

Status CsvSource::take_header() {
  std::unordered_set<std::string> seen;
  for (Cell& cell : record_) {
    if (cell.text.empty()) return broken("the header has a column without a name");
    if (!data::is_utf8(cell.text)) return broken("the header is not UTF-8; see iconv(1)");
    if (!seen.insert(cell.text).second) {
      return broken("the header names " + data::excerpt(cell.text) + " twice");
    }
    header_.push_back(std::move(cell.text));
  }
  const bool is_other = !delimiter_ && header_.size() == 1;
  if (is_other && header_[0].find_first_of(";\t") != std::string::npos) {
    return broken("the header is one column, " + data::excerpt(header_[0]) +
                  "; say what separates its values: --delimiter ';', tab or ','");
  }
  return {};
}

Status CsvSource::take_record() {
  ++row_.number;
  row_.line = begins_;
  row_.reason.clear();
  row_.fields.resize(header_.size());
  if (record_.size() != header_.size()) {
    row_.reason = "has " + std::to_string(record_.size()) + " values where the header has " +
                  std::to_string(header_.size()) + " columns";
    row_.fields.clear();
  }
  for (std::size_t i = 0; i < row_.fields.size(); ++i) {
    row_.fields[i] = {header_[i], std::move(record_[i])};
    if (!data::is_utf8(row_.fields[i].cell.text)) {
      row_.reason = header_[i] + ": is not UTF-8; see iconv(1)";
    }
  }
  return (*take_)(row_);
}

Status CsvSource::each(const TakeRow& take) {
  input_.rewind();
  take_ = &take;
  header_.clear();
  record_.clear();
  fresh_ = true;
  row_ = {};
  status_ = {};
  Parser parser(delimiter_.value_or(','), this);
  bool is_fine = true;
  for (std::string_view part; is_fine && status_;) {
    const std::size_t line = input_.line();
    if ((part = input_.take_some_line()).empty()) break;
    if (fresh_ && part.find_first_not_of("\r\n") != std::string_view::npos) {
      begins_ = line;
      fresh_ = false;
    }
    is_fine = parser.feed(part, on_field, on_end);
    if (parser.buffered() > kLongestField) {
      return broken("a value of more than 256 MiB; is its closing quote missing?");
    }
  }
  if (!input_.status()) return input_.status();
  if (!is_fine) {
    return broken(
        "a quote stands within a value; a value with quotes is \"quoted \"\"like\"\" this\"");
  }
  if (status_ && !parser.finish(on_field, on_end)) {
    return broken("the file ends within a quoted value; its closing quote is missing");
  }
  if (status_ && header_.empty()) return Status::failed(input_.name() + " has no header line");
  return status_;
}

}  // namespace

std::unique_ptr<Source> open_csv(Input& input, std::optional<char> delimiter) {
  return std::make_unique<CsvSource>(input, delimiter);
}

}  // namespace gantry::cli::importing
