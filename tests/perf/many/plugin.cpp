// Fifty tools of a usual shape, for lists.
#include <gantry/plugin.hpp>

#include <cstdint>
#include <string>

namespace {

struct Wish {
  std::string name, note;
  std::int64_t limit = 100;
  bool exact = false;

  static constexpr auto fields() {
    return gantry::fields(gantry::field("name", &Wish::name, "The name of what is looked for"),
                          gantry::field("note", &Wish::note, "Why, for the log"),
                          gantry::field("limit", &Wish::limit, "How many at most"),
                          gantry::field("exact", &Wish::exact, "Whether case counts"));
  }
};

class PerfMany final : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  void offer(gantry::Offer& offer) override {
    for (int i = 1; i <= 50; ++i) {
      const std::string number = (i < 10 ? "0" : "") + std::to_string(i);
      offer
          .tool("find_" + number, "Finds things of shelf " + number + " by their name.",
                [](const Wish& wish) { return wish.name; })
          .title("Find on shelf " + number)
          .annotations(R"({"readOnlyHint":true,"openWorldHint":false})");
    }
  }
};

}  // namespace

GANTRY_PLUGIN(PerfMany)
