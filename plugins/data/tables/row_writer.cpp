#include "tables/row_writer.hpp"

#include <gantry/json_writer.hpp>

#include "tables/cell.hpp"

namespace gantry::data {
namespace {

class CsvWriter final : public RowWriter {
 public:
  void begin(const std::vector<std::string>& headers, std::string& out) override {
    start_line(out);
    for (const std::string& header : headers) next(header, out);
    end_line(headers.size(), out);
  }

  void row(const Cells& cells, std::string& out) override {
    start_line(out);
    for (const auto& cell : cells) {
      text_.clear();
      if (cell) append_cell_text(*cell, text_);
      next(text_, out);
    }
    end_line(cells.size(), out);
  }

 private:
  void start_line(const std::string& out) { begin_ = out.size(); }
  void next(std::string_view text, std::string& out) {
    append_csv_cell(text, out);
    out += ',';
  }
  // A line of one empty cell would be taken for no line.
  void end_line(std::size_t cells, std::string& out) const {
    if (cells == 0) return;
    out.pop_back();
    out += out.size() == begin_ && cells == 1 ? "\"\"\r\n" : "\r\n";
  }

  std::string text_;
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

  void row(const Cells& cells, std::string& out) override {
    if (cells.empty()) return;
    out += '|';
    for (const auto& cell : cells) {
      text_.clear();
      if (cell) append_cell_text(*cell, text_);
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

  void row(const Cells& cells, std::string& out) override {
    char before = '{';
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!cells[i]) continue;
      (out += before) += keys_[i];
      out += cells[i]->text();
      before = ',';
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
