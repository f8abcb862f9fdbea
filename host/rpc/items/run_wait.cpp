// The rounds of a legacy client: it is sent the requests, and the item is entered again when the
// answers are there.
#include "host/registry/registry.hpp"
#include "host/rpc/items/run_state.hpp"

namespace gantry::host::rpc {
namespace {

bool is_elicitation(const Question& question) { return question.method == "elicitation/create"; }

}  // namespace

void Run::ask_client(std::string_view requests) {
  snapshot_ = nullptr;  // whoever waits holds no plugin
  item_ = nullptr;
  Wait wait;
  wait.questions = questions_of(requests, parts_.revision);
  wait.ids.resize(wait.questions.size());
  wait.open = wait.questions.size();
  if (wait.open == 0) return enter_again();
  if (parts_.session != nullptr) wait.place = core_.waits->enter(parts_.session);
  if (!wait.place) {
    return end(failed("approval_unavailable",
                      "Too many requests wait for a client's answer already; answer those first"));
  }
  // The session lives as long as this, also when the answers come faster than the questions go.
  std::shared_ptr<Sink> keep;
  {
    std::lock_guard lock(sink_mutex_);
    keep = sink_;
  }
  const std::size_t count = wait.open;
  const auto serial = install(std::move(wait));
  for (std::size_t i = 0; serial && i < count; ++i) {
    if (!send_question(*serial, i)) return;
  }
}

// Nothing when the request was stopped meanwhile; then it is answered.
std::optional<std::uint64_t> Run::install(Wait&& wait) {
  const auto deadline = std::chrono::steady_clock::now() + core_.facts.input_timeout;
  std::optional<CancelReason> stopped;
  {
    std::lock_guard lock(mutex_);
    stopped = stopped_;
    if (!stopped) {
      wait.serial = ++waits_;
      wait.timer = core_.timer.set(deadline, [weak = weak_from_this(), serial = waits_] {
        if (const auto run = weak.lock()) run->on_silence(serial);
      });
      wait_ = std::move(wait);
      return waits_;
    }
  }
  end(cancelled(*stopped));
  return std::nullopt;
}

// False: the wait is over.
bool Run::send_question(std::uint64_t serial, std::size_t index) {
  const std::string id =
      parts_.session->asks().begin([self = shared_from_this(), serial, index](ClientAnswer answer) {
        self->on_answer(serial, index, std::move(answer));
      });
  std::string message;
  {
    std::lock_guard lock(mutex_);
    if (wait_ && wait_->serial == serial) {
      wait_->ids[index] = id;
      message = request_message(id, wait_->questions[index]);
    }
  }
  if (message.empty()) {
    parts_.session->asks().forget(id);
    return false;
  }
  if (tell(message, true)) return true;
  std::optional<Wait> wait;
  {
    std::lock_guard lock(mutex_);
    wait = take_wait(serial);
  }
  if (!wait) return false;
  forget(*wait, "");
  end(failed("approval_unavailable", "The client cannot be asked: too many streams are open"));
  return false;
}

void Run::on_answer(std::uint64_t serial, std::size_t index, ClientAnswer answer) {
  std::optional<Wait> wait;
  const bool session_ended = answer.result.empty() && answer.error.empty();
  std::string refusal;
  {
    std::lock_guard lock(mutex_);
    if (!wait_ || wait_->serial != serial) return;
    Question& question = wait_->questions[index];
    if (!answer.error.empty() && !is_elicitation(question)) {
      refusal = "The client refused " + question.method + " for '" + question.key +
                "': " + answer.error.substr(0, 200);
    }
    question.answer =
        answer.error.empty() ? std::move(answer.result) : std::string("{\"action\":\"cancel\"}");
    wait_->ids[index].clear();
    --wait_->open;
    const bool over = session_ended || !refusal.empty() || wait_->open == 0;
    if (over) wait = take_wait(serial);
  }
  if (!wait) return;
  forget(*wait, session_ended ? "" : "another request was refused");
  if (session_ended) return end(cancelled(CancelReason::session_terminated));
  go_on(std::move(*wait), std::move(refusal));
}

void Run::on_silence(std::uint64_t serial) {
  std::optional<Wait> wait;
  {
    std::lock_guard lock(mutex_);
    wait = take_wait(serial);
  }
  if (!wait) return;
  forget(*wait, "no answer in time");
  std::string refusal;
  for (Question& question : wait->questions) {
    if (!question.answer.empty()) continue;
    question.answer = "{\"action\":\"cancel\"}";
    if (is_elicitation(question)) continue;
    refusal = "The client did not answer " + question.method + " for '" + question.key +
              "' within " + std::to_string(core_.facts.input_timeout.count()) + " ms";
  }
  go_on(std::move(*wait), std::move(refusal));
}

void Run::go_on(Wait&& wait, std::string refusal) {
  wait.place = nullptr;
  if (!refusal.empty()) return end(failed("input_refused", std::move(refusal)));
  carried_.answers = merged(carried_.answers, answers_of(wait.questions));
  enter_again();
}

// The questions still open are not expected any more; with a reason the client hears of it.
void Run::forget(Wait& wait, std::string_view reason) {
  core_.timer.drop(wait.timer);
  for (std::string& id : wait.ids) {
    if (id.empty()) continue;
    parts_.session->asks().forget(id);
    if (!reason.empty()) tell(cancelled_message(id, reason), false);
    id.clear();
  }
}

std::optional<Run::Wait> Run::take_wait(std::uint64_t serial) {
  if (!wait_ || wait_->serial != serial) return std::nullopt;
  return std::exchange(wait_, std::nullopt);
}

}  // namespace gantry::host::rpc
