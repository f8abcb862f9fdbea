// tools/gantry/import/source.hpp: reads a file row by row, repeatedly if needed. One thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <gantry/status.hpp>

#include "tools/gantry/import/input.hpp"
#include "tools/gantry/import/row.hpp"

namespace gantry::cli::importing {

enum class Format { json, jsonl, csv, parse };

// Receives a row, which stays valid only during the call. An error ends the reading with that
// error.
using TakeRow = std::function<Status(Row&)>;

class Source {
 public:
  virtual ~Source() = default;
  // All rows from the beginning. An unreadable row comes with its reason. The Status is an error
  // when the rest of the file cannot be read; it names file and line.
  virtual Status each(const TakeRow& take) = 0;
};

struct SourceOptions {
  Format format = Format::json;
  std::optional<char> delimiter = {};  // of CSV; empty: a comma, unless it seems to be another
  bool whole = false;                  // rows as their JSON text; not for CSV
};

// `input` must outlive the source.
std::unique_ptr<Source> open_source(Input& input, const SourceOptions& options);
std::unique_ptr<Source> open_csv(Input& input, std::optional<char> delimiter);
std::unique_ptr<Source> open_json(Input& input, bool whole);
std::unique_ptr<Source> open_json_lines(Input& input, bool whole);

}  // namespace gantry::cli::importing
