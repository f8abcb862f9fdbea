// tools/gantry/import/source.hpp: a file as rows, one at a time, as often as asked. One thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <gantry/status.hpp>

#include "tools/gantry/import/cell.hpp"
#include "tools/gantry/import/input.hpp"

namespace gantry::cli::importing {

enum class Format { json, jsonl, csv, parse };

// Takes a row, which is the source's to change afterwards. A Status that is not fine ends reading
// with it.
using TakeRow = std::function<Status(Row&)>;

class Source {
 public:
  virtual ~Source() = default;
  // All rows from the beginning. A row that cannot be read alone comes with a reason; what cannot
  // be read past is the Status, which names file and line.
  virtual Status each(const TakeRow& take) = 0;
};

struct SourceOptions {
  Format format = Format::json;
  char delimiter = ',';  // CSV
  bool whole = false;    // rows as their JSON text; not for CSV
};

// `input` must outlive the source.
std::unique_ptr<Source> open_source(Input& input, const SourceOptions& options);
std::unique_ptr<Source> open_csv(Input& input, char delimiter);
std::unique_ptr<Source> open_json(Input& input, bool whole);
std::unique_ptr<Source> open_json_lines(Input& input, bool whole);

}  // namespace gantry::cli::importing
