#include "host/rpc/items/client_questions.hpp"

#include <chrono>
#include <utility>

#include "host/base/json.hpp"
#include "host/rpc/core.hpp"
#include "host/rpc/items/request_answer.hpp"
#include "host/rpc/message/envelope.hpp"

namespace gantry::host::rpc {
namespace {

bool is_elicitation(const Question& question) { return question.method == "elicitation/create"; }

}  // namespace

bool ClientQuestions::ask(const Owner& owner, std::string_view requests,
                          std::chrono::milliseconds time) {
  Round round;
  round.questions = questions_of(requests, parts_.revision);
  round.ids.resize(round.questions.size());
  round.open = round.questions.size();
  if (round.open == 0) {
    owner->on_answers({});
    return true;
  }
  if (parts_.session != nullptr) round.place = core_.pending_questions->enter(parts_.session);
  if (!round.place) {
    owner->on_no_answers(
        failed_answer(parts_, "approval_unavailable",
                      "Too many requests wait for a client's answer already; answer those first"));
    return true;
  }
  // The sink keeps the session alive, even if the answers come before all questions are sent.
  const std::shared_ptr<Sink> keep = output_.sink();
  const std::size_t count = round.open;
  const auto serial = install(owner, std::move(round), time);
  if (!serial) return false;
  for (std::size_t i = 0; i < count && send(owner, *serial, i);) ++i;
  return true;
}

bool ClientQuestions::stop() {
  std::optional<Round> round;
  {
    std::lock_guard lock(mutex_);
    stopped_ = true;
    round = std::exchange(round_, std::nullopt);
  }
  if (!round) return false;
  forget(*round, "the request was cancelled");
  return true;
}

void ClientQuestions::withdraw(std::string_view reason) {
  std::optional<Round> round;
  {
    std::lock_guard lock(mutex_);
    round = std::exchange(round_, std::nullopt);
  }
  if (round) forget(*round, reason);
}

// Makes `round` the open round; returns its serial. Nothing: stop() came first.
std::optional<std::uint64_t> ClientQuestions::install(const Owner& owner, Round&& round,
                                                      std::chrono::milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  std::lock_guard lock(mutex_);
  if (stopped_) return std::nullopt;
  round.serial = ++serials_;
  round.timer = core_.timer.set(
      deadline, [this, weak = std::weak_ptr<QuestionOwner>(owner), serial = serials_] {
        if (const auto alive = weak.lock()) on_timeout(*alive, serial);
      });
  round_ = std::move(round);
  return serials_;
}

// False: the round is over.
bool ClientQuestions::send(const Owner& owner, std::uint64_t serial, std::size_t index) {
  const std::string id =
      parts_.session->client_requests().begin([this, owner, serial, index](ClientAnswer answer) {
        on_answer(*owner, serial, index, std::move(answer));
      });
  std::string message;
  {
    std::lock_guard lock(mutex_);
    if (round_ && round_->serial == serial) {
      round_->ids[index] = id;
      message = request_message(id, round_->questions[index]);
    }
  }
  if (message.empty()) {
    parts_.session->client_requests().forget(id);
    return false;
  }
  if (output_.request(message)) return true;
  auto round = take(serial);
  if (!round) return false;
  forget(*round, "");
  owner->on_no_answers(failed_answer(parts_, "approval_unavailable",
                                     "The client cannot be asked: too many streams are open"));
  return false;
}

void ClientQuestions::on_answer(QuestionOwner& owner, std::uint64_t serial, std::size_t index,
                                ClientAnswer answer) {
  std::optional<Round> round;
  const bool session_ended = answer.result.empty() && answer.error.empty();
  std::string refusal;
  {
    std::lock_guard lock(mutex_);
    if (!round_ || round_->serial != serial) return;
    Question& question = round_->questions[index];
    if (!answer.error.empty() && !is_elicitation(question)) {
      refusal = "The client refused " + question.method + " for '" + question.key +
                "': " + answer.error.substr(0, 200);
    }
    question.answer =
        answer.error.empty() ? std::move(answer.result) : std::string("{\"action\":\"cancel\"}");
    round_->ids[index].clear();
    --round_->open;
    const bool over = session_ended || !refusal.empty() || round_->open == 0;
    if (over) round = take_locked(serial);
  }
  if (!round) return;
  forget(*round, session_ended ? "" : "another request was refused");
  if (session_ended) {
    return owner.on_no_answers(cancelled_answer(parts_, CancelReason::session_terminated));
  }
  finish(owner, std::move(*round), std::move(refusal));
}

void ClientQuestions::on_timeout(QuestionOwner& owner, std::uint64_t serial) {
  auto round = take(serial);
  if (!round) return;
  forget(*round, "no answer in time");
  std::string refusal;
  for (Question& question : round->questions) {
    if (!question.answer.empty()) continue;
    question.answer = "{\"action\":\"cancel\"}";
    if (is_elicitation(question)) continue;
    refusal = "The client did not answer " + question.method + " for '" + question.key +
              "' within " + std::to_string(core_.settings.limits.input_timeout.count()) + " ms";
  }
  finish(owner, std::move(*round), std::move(refusal));
}

void ClientQuestions::finish(QuestionOwner& owner, Round&& round, std::string refusal) {
  round.place = nullptr;
  if (refusal.empty()) return owner.on_answers(answers_of(round.questions));
  owner.on_no_answers(failed_answer(parts_, "input_refused", std::move(refusal)));
}

// Forgets the open questions. With a reason it also sends notifications/cancelled for each.
void ClientQuestions::forget(Round& round, std::string_view reason) {
  core_.timer.drop(round.timer);
  for (std::string& id : round.ids) {
    if (id.empty()) continue;
    parts_.session->client_requests().forget(id);
    if (!reason.empty()) output_.notify(cancelled_message(json_string(id), reason));
    id.clear();
  }
}

std::optional<ClientQuestions::Round> ClientQuestions::take(std::uint64_t serial) {
  std::lock_guard lock(mutex_);
  return take_locked(serial);
}

std::optional<ClientQuestions::Round> ClientQuestions::take_locked(std::uint64_t serial) {
  if (!round_ || round_->serial != serial) return std::nullopt;
  return std::exchange(round_, std::nullopt);
}

}  // namespace gantry::host::rpc
