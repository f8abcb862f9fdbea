// model/source.hpp: the model in force, while its directory may change.
//
// What is read first must be right; later a directory that is not leaves the last good model in
// force and says so once. One thread at a time.
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
  using Say = std::function<void(const std::string&)>;  // a warning for the operator's log

  // Reads DIRECTORY; errors are those of read_model().
  static Result<std::shared_ptr<Source>> open(std::string directory, Say say);

  // True when there is a model that apply() has not seen. Looks at the directory at most once a
  // second: a listing and a stat for each file.
  bool look();
  // The classes of a database with the model laid over them. The first model must fit: errors are
  // GANTRY_INVALID_ARGUMENT, sentences for the operator. A later one that does not fit is said and
  // dropped; when the database changed, what does not fit any more is said and left out.
  Result<std::vector<ClassInfo>> apply(const std::vector<ClassInfo>& classes);

 private:
  Source(std::string directory, Say say) : directory_(std::move(directory)), say_(std::move(say)) {}
  std::string print() const;
  void say(const std::string& sentence);

  std::string directory_;
  Say say_;
  std::string print_;  // of the files when they were read
  std::chrono::steady_clock::time_point looked_;
  std::optional<Model> fresh_, current_;
  std::string said_;  // last, so that it is not said at every look
};

}  // namespace gantry::data::model
