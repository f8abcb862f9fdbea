// The C++ example: the tool's schemas are made from the structs.
#include <sstream>

#include <gantry/plugin.hpp>

namespace {

struct Words {
  std::string text;
  std::optional<std::string> word;
  int repeat = 1;

  static constexpr auto fields() {
    return gantry::fields(
        gantry::field("text", &Words::text, "The text whose words are counted"),
        gantry::field("word", &Words::word, "Count only this word").length(1, 64),
        gantry::field("repeat", &Words::repeat, "Count as if the text stood there so often")
            .between(1, 1000)
            .optional());
  }
};

struct Count {
  std::int64_t words = 0;

  static constexpr auto fields() {
    return gantry::fields(gantry::field("words", &Count::words, "How many words there are"));
  }
};

gantry::Result<Count> word_count(const Words& args, gantry::Call& call) {
  std::istringstream text(args.text);
  Count once;
  for (std::string word; text >> word;) once.words += !args.word || word == *args.word ? 1 : 0;
  if (args.text.empty()) return gantry::Status::invalid("text is empty; give at least one word");

  Count all;
  for (int i = 1; i <= args.repeat; ++i) {
    all.words += once.words;
    if (gantry::Status going = call.progress(i, args.repeat); !going) return going;
  }
  return all;
}

class Example : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  void offer(gantry::Offer& offer) override {
    offer.tool("word_count", "Counts the words of a text, or one word in it.", word_count)
        .title("Count words");
  }
};

}  // namespace

GANTRY_PLUGIN(Example)
