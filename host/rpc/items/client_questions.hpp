// host/rpc/items/client_questions.hpp (private): asks a legacy client the questions of one input
// round and collects its answers.
//
// A round ends once: by all answers, a refusal, a timeout, the end of the session or stop(). Any
// thread; the owner is called with no lock held.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/rpc/items/request_output.hpp"
#include "host/rpc/items/request_parts.hpp"
#include "host/rpc/rounds/legacy_questions.hpp"

namespace gantry::host::rpc {

// The request that asks. It holds the ClientQuestions as a member and is kept alive by open
// questions.
class QuestionOwner {
 public:
  virtual ~QuestionOwner() = default;
  // `answers`: JSON object, key -> answer; empty if there was nothing to ask.
  virtual void on_answers(std::string answers) = 0;
  // The round failed; `answer` is the request's.
  virtual void on_no_answers(ItemAnswer&& answer) = 0;
};

class ClientQuestions {
 public:
  using Owner = std::shared_ptr<QuestionOwner>;

  // All must outlive this.
  ClientQuestions(Core& core, const ItemRequestParts& parts, RequestOutput& output)
      : core_(core), parts_(parts), output_(output) {}

  // Sends the questions of a round. The owner is called once, perhaps before this returns. False:
  // stop() came first, and the owner is not called. The client has `time` to answer.
  bool ask(const Owner& owner, std::string_view requests, std::chrono::milliseconds time);
  // Withdraws the open questions, if there are any; the owner is not called for them.
  void withdraw(std::string_view reason);
  // Withdraws the open questions and refuses later rounds. True: a round was open; the owner is not
  // called for it.
  bool stop();

 private:
  struct Round {
    std::uint64_t serial = 0;
    std::vector<Question> questions;
    std::vector<std::string> ids;  // of the questions that were sent and not answered
    std::size_t open = 0;          // questions without an answer
    Timer::Id timer = 0;
    std::shared_ptr<void> place;  // of PendingQuestionLimit
  };

  std::optional<std::uint64_t> install(const Owner& owner, Round&& round,
                                       std::chrono::milliseconds time);
  bool send(const Owner& owner, std::uint64_t serial, std::size_t index);
  void on_answer(QuestionOwner& owner, std::uint64_t serial, std::size_t index,
                 ClientAnswer answer);
  void on_timeout(QuestionOwner& owner, std::uint64_t serial);
  void finish(QuestionOwner& owner, Round&& round, std::string refusal);
  void forget(Round& round, std::string_view reason);
  std::optional<Round> take(std::uint64_t serial);
  std::optional<Round> take_locked(std::uint64_t serial);

  Core& core_;
  const ItemRequestParts& parts_;
  RequestOutput& output_;
  std::mutex mutex_;
  bool stopped_ = false;
  std::optional<Round> round_;
  std::uint64_t serials_ = 0;
};

}  // namespace gantry::host::rpc
