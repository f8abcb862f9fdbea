#include "tables/row_writer.hpp"

#include <gantry/json_writer.hpp>

#include "tables/cell.hpp"

namespace gantry::data {
namespace {

class CsvWriter final : public RowWriter {
 public:
  void begin(const std::vector<std::string>& headers, std::string& out) override {
    start_line(out);
    for (const std::string& header : headers) {
      append_csv_cell(header, out);
      out += ',';
    }
    end_line(headers.size(), out);
  }

  void row(const CellSource& cells, std::string& out) override {
    start_line(out);
    const std::size_t count = cells.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t begin = out.size();
      if (cells.append_text(i, out)) quote(begin, out);
      out += ',';
    }
    end_line(count, out);
  }

 private:
  void start_line(const std::string& out) { begin_ = out.size(); }
  // Quotes distinguish an empty text from a missing value.
  static void quote(std::size_t begin, std::string& out) {
    if (out.size() == begin) {
      out += "\"\"";
    } else {
      quote_csv_cell(begin, out);
    }
  }
  // A line with one empty cell would be read as an empty line.
  void end_line(std::size_t cells, std::string& out) const {
    if (cells == 0) return;
    out.pop_back();
    out += out.size() == begin_ && cells == 1 ? "\"\"\r\n" : "\r\n";
  }

  std::size_t begin_ = 0;
};

class MarkdownWriter final : public RowWriter {
 public:
  void begin(const std::vector<std::string>& headers, std::string& out) override {
    if (headers.empty()) return;
    out += '|';
    for (const std::string& header : headers) next(header, out);
    out += "\n|";
    for (std::size_t i = 0; i < headers.size(); ++i) out += " --- |";
    out += '\n';
  }

  void row(const CellSource& cells, std::string& out) override {
    if (cells.size() == 0) return;
    out += '|';
    for (std::size_t i = 0; i < cells.size(); ++i) {
      text_.clear();
      (void)cells.append_text(i, text_);
      next(text_, out);
    }
    out += '\n';
  }

 private:
  static void next(const std::string& text, std::string& out) {
    out += ' ';
    append_markdown_cell(text, out);
    out += " |";
  }

  std::string text_;
};

class JsonLinesWriter final : public RowWriter {
 public:
  void begin(const std::vector<std::string>& headers, std::string& /*out*/) override {
    keys_.clear();
    for (const std::string& header : headers) {
      std::string& key = keys_.emplace_back();
      JsonWriter(key).string(header);
      key += ':';
    }
  }

  void row(const CellSource& cells, std::string& out) override {
    char before = '{';
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t begin = out.size();
      (out += before) += keys_[i];
      if (cells.append_json(i, out)) {
        before = ',';
      } else {
        out.resize(begin);
      }
    }
    out += before == '{' ? "{}\n" : "}\n";
  }

 private:
  std::vector<std::string> keys_;
};

}  // namespace

std::unique_ptr<RowWriter> make_row_writer(std::string_view format) {
  if (format == "csv") return std::make_unique<CsvWriter>();
  if (format == "markdown") return std::make_unique<MarkdownWriter>();
  if (format == "jsonl") return std::make_unique<JsonLinesWriter>();
  return nullptr;
}

}  // namespace gantry::data
