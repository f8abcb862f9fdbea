// host/rpc/items/request_approval.hpp (private): the approval that a request may need, as the
// request sees it.
//
//   the engine answers approval_required -> preview -> ask
//   ask: modern client    -> the answer is the question; its retry resumes
//        legacy client    -> the question goes out on the request's stream
//        none of these    -> the request waits for an operator
//   accepted -> the item is entered with the pass; else the request ends, and nothing was run
//
// One of the request's entries is under way at a time, and steps are made between entries. Any
// thread.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <rapidjson/document.h>

#include "host/approvals/approvals.hpp"
#include "host/rpc/items/request_parts.hpp"
#include "host/rpc/rounds/rounds.hpp"

namespace gantry::host::rpc {

// It has more than twenty methods: one for each event between the request and the decision, and for
// each question of the request about it.
class RequestApproval {
 public:
  // What the request does next.
  struct Step {
    enum class Kind {
      pass_on,      // `answer` is the request's; the approval has nothing to do with it
      enter,        // enter the item again
      answer_ask,   // `requests` are the answer to a modern client
      ask_client,   // send `requests` to a legacy client, then call published()
      wait,         // an operator answers; call published()
      nothing,      // another step follows by itself
      end,          // with `answer`
      end_stopped,  // stop() came first
    };
    Kind kind = Kind::pass_on;
    ItemAnswer answer{};
    std::string requests{};
  };
  // Both must outlive this.
  RequestApproval(Core& core, const ItemRequestParts& parts) : core_(core), parts_(parts) {}

  // The request is a retry of a modern client that was asked for the approval `id`. Takes its
  // answer out of `answers`.
  Step resume(const std::string& id, std::string& answers);
  // An entry of `item` ended with `answer`. `is_task`: the client cannot be asked on a stream.
  // `on_decided` is called on the deciding thread, for ask_client and wait; it calls decided().
  Step after(ItemAnswer&& answer, const Item* item, bool is_task, Approvals::Decided on_decided);
  Step decided(const ApprovalVerdict& verdict);
  // The client's answers to ask_client; those without one mean decline.
  Step on_client(std::string_view answers);
  // The client cannot be asked; `answer` is the request's.
  Step on_no_client(ItemAnswer&& answer);
  // Operators see the call from now on.
  void published();
  // Before `item` is entered as it is now: takes the pass of an accepted call. pass_on: go on.
  Step check(const Item* item);
  // Sets arguments and pass of the next entry. `call` borrows from this.
  void put_into(ItemCall& call);

  bool previews() const { return state_ == State::previewing; }
  bool asks() const { return state_ == State::asking; }
  // The id to carry in sealed state; empty: none.
  std::string carried() const;
  // A round of a modern client begins: its retry may take the approval again.
  void lend_back(std::chrono::milliseconds life);
  // Withdraws the call. True: it was not decided, so no step follows.
  bool stop();
  // The request has ended.
  void finish();
  // How it was decided; nothing: no approval was needed.
  std::optional<ApprovalVerdict> verdict() const;

 private:
  enum class State { none, previewing, asking, decided };

  Step begin(ItemAnswer&& required, const Item& item, bool is_task, Approvals::Decided on_decided);
  Step previewed(ItemAnswer&& preview, const Item& item, bool is_task,
                 Approvals::Decided on_decided);
  Step ask(const Item& item, bool is_task, Approvals::Decided on_decided);
  Step refused(const ApprovalVerdict& verdict);
  Step unavailable(std::string sentence) const;

  Core& core_;
  const ItemRequestParts& parts_;
  std::atomic<State> state_{State::none};
  ApprovalAsk ask_;
  bool above_rows_ = false;
  std::string entered_;  // the arguments of the next entry, and the same parsed
  rapidjson::Document parsed_;
  ApprovalPassPtr pass_;
  mutable std::mutex mutex_;  // of the members below
  struct {
    std::string id;
    bool stopped = false;
    bool handed_over = false;  // a modern client carries it on
    std::optional<ApprovalVerdict> verdict;
  } record_;
};

}  // namespace gantry::host::rpc
