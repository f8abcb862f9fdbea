// tools/gantry/chat/result_text.hpp: what a tool answered, as the model reads it.
//
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>

#include <rapidjson/fwd.h>

namespace gantry::cli::chat {

constexpr std::size_t kMaxResult = 64 << 10;  // bytes, without the note about what was cut

struct ResultText {
  std::string text;
  bool is_error = false;
};

// Of the JSON-RPC answer to tools/call: the texts of the result, else its structured content; what
// is no text is named. Of an error its code and sentence.
ResultText result_text(const rapidjson::Value& answer);

}  // namespace gantry::cli::chat
