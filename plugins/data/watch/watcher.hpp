// watch/watcher.hpp: which watched resources may have changed since the last look.
//
// A resource has changed when what can be read of it has: a commit that changes rows elsewhere, or
// only what is never shown, is not told. Of a resource that cannot be read within its time every
// commit counts. What subscribers may see differs by nothing but the floor, so one look serves all.
// One thread.
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

// What a resource holds, as a number.
struct Content {
  enum class State {
    known,
    later,       // it cannot be read just now: the database is locked, or was replaced
    unknowable,  // reading it takes too long
  };
  State state = State::known;
  std::uint64_t print = 0;  // known: of what can be read

  bool operator==(const Content&) const = default;
};

// The database, as subscribers see it.
class Source {
 public:
  virtual ~Source() = default;
  // Cheap while nothing changes. Errors: the database cannot be read just now.
  virtual Result<Sight> look() = 0;
  virtual Content content_of(const ResourceUri& what) = 0;
  // The print of what was read of the resource since the look before the last one, where all reads
  // got the same.
  virtual std::optional<std::uint64_t> read_lately(const ResourceUri& what) = 0;
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
    std::optional<std::uint64_t> print;  // of what its subscribers know
    bool is_due = false;                 // something was committed since it was compared
  };
  using Contents = std::map<std::string, Content>;

  void forget_unwatched(const std::vector<std::string>& uris);
  void compare_known(const Sight& sight, bool moved, Contents& contents);
  bool compare(const std::string& uri, Watched& known, const Sight& sight, Contents& contents);
  void welcome(const std::vector<std::string>& uris, const Sight& sight, bool moved,
               Contents& contents);
  Content content_of(const ResourceUri& what, Contents& contents);

  Source& source_;
  Audience& audience_;
  bool has_audience_ = false;
  std::optional<Sight> last_;
  std::map<std::string, Watched> watched_;  // by URI, as the client wrote it
};

}  // namespace gantry::data
