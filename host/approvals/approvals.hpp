// host/approvals/approvals.hpp: the calls that wait for a person, and the only place that lets one
// run.
//
//   open -> publish -> waiting -> accepted -> take -> running -> finish
//                             `-> declined, timed out, …       `-> lend_back -> accepted
//
// The first answer decides; it counts from the principal that made the call and from operators. A
// call that waits is a record with an expiry. Records live in memory: after a restart none is
// accepted. An ended one is remembered for a while, so that its client can be told why.
//
// Bounds: ApprovalLimits. Callbacks run once, on the deciding thread, with no lock held. Any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <gantry/result.hpp>

#include "host/approvals/approval.hpp"
#include "host/approvals/pass.hpp"
#include "host/auth/principal.hpp"
#include "host/base/change_signal.hpp"
#include "host/base/timer.hpp"
#include "host/observe/log.hpp"
#include "host/observe/metrics.hpp"

namespace gantry::host {

struct ApprovalLimits {
  std::chrono::milliseconds timeout;  // for an answer, and for running after it
  std::size_t most;                   // that wait at once
  std::size_t most_per_principal;
  std::size_t bytes = 32u << 20;  // of the arguments and previews of all that wait
};

class Approvals {
 public:
  using Decided = std::function<void(const ApprovalVerdict&)>;

  // `log` and `metrics` must outlive this.
  Approvals(Log& log, Metrics& metrics, ApprovalLimits limits);
  ~Approvals();

  // Whether operators can answer at all: the control socket or /admin is there. Default: no.
  void set_operators(bool reachable);
  bool has_operators() const;

  // Makes a record that only its client can answer yet; returns its id. `decided` may be null: the
  // caller then asks verdict(). GANTRY_BUSY: a bound is reached; GANTRY_TOO_BIG: the call is too
  // large to show. The sentences are for the caller.
  Result<std::string> open(ApprovalAsk ask, Decided decided);
  // From now on operators see it, and its time runs. Ignored if it is decided.
  void publish(const std::string& id);

  // The client's answer. False: it is not waiting, or of another principal; then nothing happens.
  // A client may decline what an operator accepted, until it runs.
  bool answer(const std::string& id, std::string_view principal, bool accept);
  // That of the operator `by`. GANTRY_NOT_FOUND: no such call waits; GANTRY_DENIED: `by` is the
  // principal that made the call; GANTRY_FAILED: it is decided already.
  Status answer_as_operator(const std::string& id, bool accept, std::string by, std::string note);
  // Ends a call that does not run, as not run. False: it is decided already.
  bool end(const std::string& id, Decision why);
  // Ends all that wait, when the server stops.
  void end_all();
  // The agent that a principal has now; null: unchanged.
  using Successor = std::function<AgentPtr(std::string_view principal, const AgentPtr& before)>;
  // Ends those whose agent has other rights now, or is gone.
  void take_agents(const PrincipalNames& withdrawn, const Successor& successor);

  struct Standing {
    ApprovalVerdict verdict;
    std::string requests;  // the question for the client, while it waits
  };
  // Nothing: the principal has no such record, or it is forgotten.
  std::optional<Standing> look(const std::string& id, std::string_view principal) const;

  // The right to run an accepted call, once: for the same agent, plugin and generation. The error
  // is GANTRY_DENIED; the verdict has the cause.
  struct Taker {
    std::string_view principal;
    const Agent& agent;
    std::string_view plugin;
    std::uint64_t generation = 0;
  };
  Result<ApprovalPassPtr> take(const std::string& id, const Taker& taker);
  // The taken call waits for its client's input: it may be taken again within `life`.
  void lend_back(const std::string& id, std::chrono::milliseconds life);
  // The call has ended.
  void finish(const std::string& id);

  // For a preview that shows no more rows than the agent may change unasked; null: it shows more,
  // or none can be told.
  static ApprovalPassPtr pass_below(const ApprovalAsk& ask);

  // For operators, as JSON: {"approvals":[…]}, the oldest first, without previews; one with all.
  std::string list() const;
  Result<std::string> show(const std::string& id) const;
  std::size_t waiting() const;
  // Raised after list() changed.
  ChangeSignal& changed() const;

 private:
  struct State;
  const std::shared_ptr<State> state_;
  Timer timer_{"gantry-approve"};  // its thread ends first
};

}  // namespace gantry::host
