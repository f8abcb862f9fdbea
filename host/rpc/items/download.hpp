// host/rpc/items/download.hpp: reads a download that a plugin offers, part by part, for a transport
// that streams it. A plugin offers a download as resources (resource templates will do):
//
//   export://ID/about   {"bytes":N,"starts":[0,…],"mime_type"?:TEXT,"name"?:TEXT}
//   export://ID/1 …     the parts, as text or blob; part I + 1 begins at the byte starts[I]
//
// The plugin decides which callers may read it, as for every resource; to others it is not_found.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "host/auth/authenticator.hpp"
#include "host/base/timer.hpp"
#include "host/calls/calls.hpp"
#include "host/rpc/items/scoped_count.hpp"
#include "host/rpc/message/context.hpp"

namespace gantry::host::rpc {

struct Core;

// For one reader; one of about() and part() at a time, any thread. What they are given is called
// once, from any thread, perhaps before they return. The Dispatcher it is of must outlive it, and
// waits for it when it ends.
class Download final : public std::enable_shared_from_this<Download> {
 public:
  enum class Fault {
    missing,  // not there, not any more, or not for this principal
    busy,     // the server is; later it may work
    broken,   // the plugin failed, which is logged; or the download was cancelled
  };
  struct About {
    std::uint64_t bytes = 0;
    std::vector<std::uint64_t> starts;  // ascending from 0, none beyond `bytes`; at least one
    std::string mime_type, name;        // as the plugin gave them; may be empty

    // Where the part of this index ends.
    std::uint64_t end_of(std::size_t part) const {
      return part + 1 < starts.size() ? starts[part + 1] : bytes;
    }
  };
  template <class T>
  using Then = std::function<void(std::variant<T, Fault>)>;

  Download(Core& core, const Principal& principal, Party party, std::string_view id);

  void about(Then<About> then);
  // `part` is an index of about.starts. The text has as many bytes as `about` says. Waits some
  // seconds for a busy server.
  void part(const About& about, std::size_t part, Then<std::string> then);
  // Ends what is being read, as broken.
  void cancel();
  // Writes the line of the audit log: what the reader was sent, why not more.
  void record(std::string_view code, std::uint64_t bytes) const;

 private:
  using Read = Then<std::string>;

  void read(const std::string& what, int tries, Read then);
  void start(const std::string& what, int tries, Read then);
  void answered(ItemAnswer&& answer, const std::string& what, int tries, const Read& then);
  bool try_again(const std::string& what, int tries, const Read& then);
  void log_fault(std::string_view what, std::string_view fault) const;

  const ScopedCount scoped_count_;
  Core& core_;
  const Principal principal_;
  const std::string party_;
  const std::uint64_t client_;
  const std::string uri_;
  const Timer::Time begun_ = std::chrono::steady_clock::now();
  std::string plugin_;  // of the last read, and its generation
  std::uint64_t generation_ = 0;
  mutable std::mutex mutex_;  // for what follows
  bool cancelled_ = false;
  std::uint64_t reads_ = 0, ended_ = 0;
  std::shared_ptr<CallHandle> call_;  // of the read that runs
  Timer::Id timer_ = 0;               // of the one that waits, while call_ is empty
};

}  // namespace gantry::host::rpc
