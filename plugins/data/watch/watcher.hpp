// watch/watcher.hpp: which watched resources may have changed since the last look.
//
// A class's count and samples count as changed when any of its rows did: which rows a reader sees
// is its scope's business, and an update may move one into it. Where the rows are too many to
// compare, any commit counts. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "resources/resource_uri.hpp"

namespace gantry::data {

// What a look at the database tells.
struct Sight {
  std::uint64_t version = 0;         // another one whenever anything may have changed
  std::vector<std::string> classes;  // sorted by name
};

// The database, on the engine's own authority.
class Source {
 public:
  virtual ~Source() = default;
  // Cheap while nothing changes. Errors: the database cannot be read just now.
  virtual Result<Sight> look() = 0;
  // A number for what a class holds, or how it is made; empty when that cannot be told.
  virtual std::optional<std::uint64_t> rows_of(const std::string& class_name) = 0;
  virtual std::optional<std::uint64_t> schema_of(const std::string& class_name) = 0;
};

// Who wants to hear of changes.
class Audience {
 public:
  virtual ~Audience() = default;
  virtual std::vector<std::string> watched() = 0;  // URIs
  virtual void updated(const std::string& uri) = 0;
  virtual void deleted(const std::string& uri) = 0;
  virtual void list_changed() = 0;
};

class Watcher {
 public:
  Watcher(Source& source, Audience& audience) : source_(source), audience_(audience) {}

  // Looks once and tells what is new. Errors: look()'s; the next time tells what was missed.
  Status look();
  // Whether somebody watched a resource at the last look.
  bool has_audience() const { return has_audience_; }

 private:
  struct Watched {
    ResourceUri what;
    std::optional<std::uint64_t> print;
  };
  using Prints = std::map<std::string, std::optional<std::uint64_t>>;

  void forget_unwatched(const std::vector<std::string>& uris);
  void compare_known(const Sight& sight, Prints& prints);
  bool compare(const std::string& uri, Watched& known, const Sight& sight, Prints& prints);
  void welcome(const std::vector<std::string>& uris, const Sight& sight, bool moved,
               Prints& prints);
  std::optional<std::uint64_t> print_of(const ResourceUri& what, Prints& prints);

  Source& source_;
  Audience& audience_;
  bool has_audience_ = false;
  std::optional<Sight> last_;
  std::map<std::string, Watched> watched_;  // by URI, as the client wrote it
};

}  // namespace gantry::data
