// host/rpc/items/download.hpp: reads a download that a plugin offers, part by part, for a transport
// that streams it. A plugin offers a download as resources (resource templates will do):
//
//   export://ID/about   {"bytes":N,"starts":[0,…],"mime_type"?:TEXT,"name"?:TEXT}
//   export://ID/1 …     the parts, as text or blob; part I + 1 begins at the byte starts[I]
//
// The plugin decides which callers may read it, as for every resource; for other callers it is
// not_found.
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
#include "host/base/live_count.hpp"
#include "host/base/timer.hpp"
#include "host/calls/calls.hpp"
#include "host/rpc/message/context.hpp"
#include "host/rpc/open_work.hpp"

namespace gantry::host::rpc {

struct Core;

// The reading of one download by one client. Call one of about() and part() at a time, on any
// thread. The continuation is called once, from any thread, perhaps before the function returns.
// The Dispatcher must outlive the object; ~Dispatcher() waits for it. It has more than twelve
// members: the download, its reader, and the running read.
class Download final : public RevocableWork, public std::enable_shared_from_this<Download> {
 public:
  enum class Fault {
    missing,  // it does not exist, has expired, or this principal may not read it
    busy,     // the server is busy; a later try may succeed
    broken,   // the plugin failed (logged), or the download was cancelled
  };
  struct About {
    std::uint64_t bytes = 0;
    std::vector<std::uint64_t> starts;  // ascending from 0, none beyond `bytes`; at least one
    std::string mime_type, name;        // from the plugin; may be empty

    // The byte behind the last one of this part.
    std::uint64_t end_of(std::size_t part) const {
      return part + 1 < starts.size() ? starts[part + 1] : bytes;
    }
  };
  template <class T>
  using Then = std::function<void(std::variant<T, Fault>)>;

  Download(Core& core, const Principal& principal, Party party, std::string_view id);
  ~Download() override;

  // Reads the description of the download.
  void about(Then<About> then);
  // Reads the part with this index of about.starts. Its text has the size given by `about`. While
  // the server is busy, it tries again for 10 s.
  void part(const About& about, std::size_t part, Then<std::string> then);
  // Cancels the running read, whose result is then `broken`, and refuses further tries.
  void cancel();
  // RevocableWork: the client has lost its right to read it.
  void take_agents(const AgentChanges& changes) override;
  // Writes the audit record. `code`: the error code, empty for success; `bytes` sent to the client.
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
  mutable std::mutex mutex_;  // of the members below
  std::string plugin_;        // of the last read, and its generation
  std::uint64_t generation_ = 0;
  bool cancelled_ = false;
  std::uint64_t reads_ = 0, ended_ = 0;
  std::shared_ptr<CallHandle> call_;  // of the running read
  Timer::Id timer_ = 0;               // of the next try, while call_ is empty
};

}  // namespace gantry::host::rpc
