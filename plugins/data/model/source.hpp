// model/source.hpp: the current model, and the watch on its directory.
//
// The first read must succeed. If a later read fails, the last good model stays in force and one
// warning is logged. One thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "model/model.hpp"

namespace gantry::data {
struct ClassInfo;
class Catalog;
using CatalogPtr = std::shared_ptr<const Catalog>;
}  // namespace gantry::data

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
  // Checks canonical filters against the classes with their sampled kinds, by the rules of a
  // caller's `where`: why the filter is refused, by class. Called where a model comes into force.
  using Check = std::function<std::map<std::string, std::string>(const CatalogPtr&)>;
  void check_with(Check check) { check_ = std::move(check); }

  // Makes the catalog of some classes.
  using Make = std::function<CatalogPtr(std::vector<ClassInfo>)>;
  // The catalog of a database with the model applied. The first model must fit; errors are
  // GANTRY_INVALID_ARGUMENT with sentences for the operator. A later model that does not fit is
  // logged and dropped. A model that comes into force has what it opens logged. If a change of the
  // database makes a class of the model misfit, the class is logged and left out.
  Result<CatalogPtr> apply(const std::vector<ClassInfo>& classes, const Make& make);
  // How many models have come into force.
  std::uint64_t taken() const { return taken_; }

 private:
  Source(std::string directory, Say say, ReadOptions options)
      : directory_(std::move(directory)), say_(std::move(say)), options_(options) {}
  std::string fingerprint() const;
  std::vector<std::string> refused_filters(const Model& model, const CatalogPtr& catalog) const;
  Result<CatalogPtr> take_fresh(const std::vector<ClassInfo>& classes, const Make& make);
  void say(const std::string& sentence);

  std::string directory_;
  Say say_;
  ReadOptions options_;
  Check check_;
  std::string fingerprint_;  // fingerprint of the files when they were read
  std::chrono::steady_clock::time_point looked_;
  std::optional<Model> fresh_, current_;
  std::uint64_t taken_ = 0;
  std::string said_;  // the last warning, so that it is not repeated at every look
};

}  // namespace gantry::data::model
