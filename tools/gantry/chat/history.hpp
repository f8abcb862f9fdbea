// tools/gantry/chat/history.hpp: the messages of a session, and making them fewer.
//
// One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/gantry/chat/message.hpp"

namespace gantry::cli::chat {

class History {
 public:
  // Appends. A turn begins with each message of the user.
  void add(Message message);
  // Removes the newest turn.
  void drop_turn();
  void clear();

  // What the model is sent.
  const std::vector<Message>& messages() const { return messages_; }
  // Every message as it was, before anything was compacted.
  const std::vector<Message>& originals() const { return originals_; }

  // Results before the newest turn keep their first 500 bytes, with a note. Returns how many were
  // cut.
  std::size_t cut_results();
  // What was said before the last two turns, as text; empty: nothing new was.
  std::string old_text() const;
  // Puts a summary in the place of what old_text() returns.
  void replace_old(const std::string& summary);

 private:
  std::size_t start_of_last(std::size_t turns) const;

  std::vector<Message> messages_, originals_;
};

// About how many tokens the model reads them as: bytes / 4.
std::uint64_t estimated_tokens(const std::vector<Message>& messages);

// At most `most` bytes of `text`, not cut within a character; with a note when it is cut.
std::string bounded(const std::string& text, std::size_t most, const std::string& note);

}  // namespace gantry::cli::chat
