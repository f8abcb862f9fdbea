// model/source.hpp: the current model, and the watch on its directory.
//
// The first read must succeed. If a later read fails, the last good model stays in force and one
// warning is logged. One thread at a time.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "model/lay_over.hpp"

namespace gantry::data::model {

class Source {
 public:
  using Say = std::function<void(const std::string&)>;  // writes a warning to the operator's log

  // Reads DIRECTORY; errors are those of read_model().
  static Result<std::shared_ptr<Source>> open(std::string directory, Say say,
                                              ReadOptions options = {});

  // True if there is a model that apply() has not used yet. Checks the directory at most once a
  // second: one listing, and one stat for each file.
  bool look();
  // The classes of a database with the model applied. The first model must fit; errors are
  // GANTRY_INVALID_ARGUMENT with sentences for the operator. A later model that does not fit is
  // logged and dropped. A model that comes into force has what it opens logged. If a change of the
  // database makes a class of the model misfit, the class is logged and left out.
  Result<std::vector<ClassInfo>> apply(const std::vector<ClassInfo>& classes);

 private:
  Source(std::string directory, Say say, ReadOptions options)
      : directory_(std::move(directory)), say_(std::move(say)), options_(options) {}
  std::string fingerprint() const;
  void say(const std::string& sentence);

  std::string directory_;
  Say say_;
  ReadOptions options_;
  std::string fingerprint_;  // fingerprint of the files when they were read
  std::chrono::steady_clock::time_point looked_;
  std::optional<Model> fresh_, current_;
  std::string said_;  // the last warning, so that it is not repeated at every look
};

}  // namespace gantry::data::model
