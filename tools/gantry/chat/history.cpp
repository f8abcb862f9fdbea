#include "tools/gantry/chat/history.hpp"

#include <algorithm>

namespace gantry::cli::chat {
namespace {

constexpr std::size_t kOldResult = 500;  // bytes
constexpr std::size_t kKeptTurns = 2;
constexpr const char* kNote = " [cut when the conversation was compacted]";

bool begins_turn(const Message& message) {
  return message.role == Role::user && !message.is_summary;
}

std::size_t size_of(const Message& message) {
  std::size_t out = message.wire.empty() ? message.text.size() : message.wire.size();
  for (const auto& result : message.results) out += result.text.size();
  return out;
}

std::string text_of(const Message& message) {
  if (message.role == Role::user) return "User: " + message.text + "\n";
  std::string out;
  if (message.role == Role::assistant) out = "Assistant: " + message.text + "\n";
  for (const auto& call : message.calls) out += "Calls " + call.name + " " + call.arguments + "\n";
  for (const auto& result : message.results) out += "Result of a tool: " + result.text + "\n";
  return out;
}

}  // namespace

void History::add(Message message) {
  originals_.push_back(message);
  messages_.push_back(std::move(message));
}

void History::drop_turn() {
  for (auto* list : {&messages_, &originals_}) {
    const auto last = std::find_if(list->rbegin(), list->rend(), begins_turn);
    if (last != list->rend()) list->erase(last.base() - 1, list->end());
  }
}

void History::clear() {
  messages_.clear();
  originals_.clear();
}

std::size_t History::start_of_last(std::size_t turns) const {
  std::size_t i = messages_.size();
  while (i > 0 && turns > 0) {
    if (begins_turn(messages_[--i])) --turns;
  }
  return turns == 0 ? i : 0;
}

std::size_t History::cut_results() {
  std::size_t cut = 0;
  const std::size_t newest = start_of_last(1);
  for (std::size_t i = 0; i < newest; ++i) {
    for (auto& result : messages_[i].results) {
      if (result.text.size() <= kOldResult + std::string_view(kNote).size()) continue;
      result.text = bounded(result.text, kOldResult, kNote);
      ++cut;
    }
  }
  return cut;
}

std::string History::old_text() const {
  const auto end = messages_.begin() + static_cast<std::ptrdiff_t>(start_of_last(kKeptTurns));
  if (std::none_of(messages_.begin(), end, begins_turn)) return {};
  std::string out;
  for (auto message = messages_.begin(); message != end; ++message) out += text_of(*message);
  return out;
}

void History::replace_old(const std::string& summary) {
  const auto end = messages_.begin() + static_cast<std::ptrdiff_t>(start_of_last(kKeptTurns));
  messages_.erase(messages_.begin(), end);
  messages_.insert(messages_.begin(), {.role = Role::user,
                                       .text = "Summary of the conversation so far:\n" + summary,
                                       .is_summary = true});
}

std::uint64_t estimated_tokens(const std::vector<Message>& messages) {
  std::uint64_t bytes = 0;
  for (const auto& message : messages) bytes += size_of(message);
  return bytes / 4;
}

std::string bounded(const std::string& text, std::size_t most, const std::string& note) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (text[end] & 0xc0) == 0x80) --end;
  return text.substr(0, end) + note;
}

}  // namespace gantry::cli::chat
