// tools/gantry/import/job.hpp: one import from file to commit. Main thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gantry/result.hpp>

#include "tools/gantry/import/progress.hpp"
#include "tools/gantry/import/source.hpp"
#include "tools/gantry/import/survey.hpp"

namespace gantry::cli::importing {

struct Job {
  std::string file, database, name;  // `name`: the class
  Format format = Format::json;
  std::optional<char> delimiter;  // of CSV; empty: a comma
  std::string document;           // the column for whole objects; empty: a typed class
  Wishes wishes;
  bool skip_unknown = false, skip_invalid = false, create = false;
  std::size_t shown = 10;  // refused rows to report
  std::chrono::milliseconds wait{30'000};
};

// Callbacks of the job.
struct Surroundings {
  Progress& progress;
  std::function<bool()> stopped;                     // asked often
  std::function<bool()> can_read;                    // waits for standard input; false: stopped
  std::function<void(const std::string&)> complain;  // a line for standard error
};

struct Outcome {
  bool is_new = false;
  std::size_t taken = 0, refused = 0;
  std::vector<std::string> remarks;  // sentences about the columns of a new class
  std::vector<std::string> absent;   // classes that pointers name and the database does not have
};

// GANTRY_INVALID_ARGUMENT: an option or a file is wrong. Other errors: the data or the database;
// nothing was imported then. Refused rows without `skip_invalid` are such an error and are reported
// row by row before it.
Result<Outcome> run(const Job& job, const Surroundings& around);

}  // namespace gantry::cli::importing
