// JSON by RapidJSON's event parser: a file of any size with one row in memory.
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <string_view>

#include "tools/gantry/import/json_rows.hpp"
#include "tools/gantry/import/source.hpp"
#include "values/utf8.hpp"

namespace gantry::cli::importing {
namespace {

constexpr unsigned kFlags =
    rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseValidateEncodingFlag;
constexpr std::size_t kLongestLine = 1u << 30;

// An Input as RapidJSON's stream.
class Stream {
 public:
  using Ch = char;
  explicit Stream(Input& input) : input_(input) {}
  Ch Peek() const { return input_.peek(); }
  Ch Take() { return input_.take(); }
  std::size_t Tell() const { return input_.position(); }
  // Only streams that are parsed in place need these.
  Ch* PutBegin() { return nullptr; }
  void Put(Ch) {}
  std::size_t PutEnd(Ch*) { return 0; }

 private:
  Input& input_;
};

std::string problem(rapidjson::ParseErrorCode code) {
  switch (code) {
    case rapidjson::kParseErrorStringInvalidEncoding:
      return "text is not UTF-8; see iconv(1)";
    case rapidjson::kParseErrorDocumentEmpty:
      return "there is nothing but white space";
    case rapidjson::kParseErrorNumberTooBig:
      return "a number is too large for 64 bits; write it as text";
    default: {
      std::string text = rapidjson::GetParseError_En(code);
      if (text.ends_with('.')) text.pop_back();
      return "this is not JSON: " + text;
    }
  }
}

class JsonSource final : public Source {
 public:
  JsonSource(Input& input, bool whole)
      : input_(input), rows_(true, whole, [this] { return input_.line(); }) {}

  Status each(const TakeRow& take) override {
    input_.rewind();
    Status taken;
    const TakeRow keep = [&](Row& row) { return taken = take(row); };
    rows_.start(keep, 0);
    Stream stream(input_);
    rapidjson::Reader reader;
    const auto result = reader.Parse<kFlags>(stream, rows_);
    if (!taken) return taken;
    if (!input_.status()) return input_.status();
    if (!rows_.status()) return broken(rows_.status().message());
    if (result.Code() == rapidjson::kParseErrorDocumentRootNotSingular) {
      return broken("something follows the first value; for an object a line say --format jsonl");
    }
    if (result.IsError()) return broken(problem(result.Code()));
    if (!input_.at_end()) return broken("there is a NUL byte");
    if (!rows_.found_rows()) {
      return Status::failed(input_.name() +
                            " is one object without \"results\"; put it in [ ], or say --format "
                            "jsonl for an object a line");
    }
    return {};
  }

 private:
  Status broken(const std::string& what) const {
    return Status::failed(input_.name() + " line " + std::to_string(input_.line()) + ": " + what);
  }

  Input& input_;
  JsonRows rows_;
};

class JsonLines final : public Source {
 public:
  JsonLines(Input& input, bool whole)
      : input_(input), rows_(false, whole, [this] { return line_; }) {}

  Status each(const TakeRow& take) override {
    input_.rewind();
    std::size_t number = 0;
    while (input_.status()) {
      line_ = input_.line();
      if (!read_line()) break;
      if (text_.find_first_not_of(" \t\r\n") == std::string::npos) continue;
      if (text_.size() > kLongestLine) return too_long();
      if (Status status = one(take, number++); !status) return status;
    }
    return input_.status();
  }

 private:
  bool read_line() {
    text_.clear();
    for (std::string_view part; !(part = input_.take_some_line()).empty();) {
      text_ += part;
      if (part.back() == '\n' || text_.size() > kLongestLine) break;
    }
    return !text_.empty();
  }

  Status too_long() const {
    return Status::failed(input_.name() + " line " + std::to_string(line_) +
                          " is longer than 1 GiB; is it one object a line?");
  }

  Status one(const TakeRow& take, std::size_t before) {
    Status taken;
    bool was_taken = false;
    const TakeRow keep = [&](Row& row) {
      kept_ = std::move(row);
      was_taken = true;
      return Status();
    };
    rows_.start(keep, before);
    rapidjson::MemoryStream stream(text_.data(), text_.size());
    rapidjson::Reader reader;
    const auto result = reader.Parse<kFlags>(stream, rows_);
    if (result.IsError()) {
      kept_ = {};
      kept_.reason = rows_.status() ? said(result) : rows_.status().message();
    } else if (stream.Tell() != text_.size()) {
      kept_.reason = "there is a NUL byte";
    }
    kept_.number = before + 1;
    kept_.line = line_;
    return take(kept_);
  }

  std::string said(const rapidjson::ParseResult& result) const {
    return problem(result.Code()) + " (column " + std::to_string(result.Offset() + 1) + ")";
  }

  Input& input_;
  std::size_t line_ = 0;
  JsonRows rows_;
  std::string text_;
  Row kept_;
};

}  // namespace

std::unique_ptr<Source> open_json(Input& input, bool whole) {
  return std::make_unique<JsonSource>(input, whole);
}

std::unique_ptr<Source> open_json_lines(Input& input, bool whole) {
  return std::make_unique<JsonLines>(input, whole);
}

std::unique_ptr<Source> open_source(Input& input, const SourceOptions& options) {
  if (options.format == Format::csv) return open_csv(input, options.delimiter);
  if (options.format == Format::jsonl) return open_json_lines(input, options.whole);
  return open_json(input, options.whole);
}

}  // namespace gantry::cli::importing
