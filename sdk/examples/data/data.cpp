// The data example: a tool over the operator's database, limited to the caller's scope.
#include <gantry/data.hpp>
#include <gantry/plugin.hpp>

namespace {

struct Question {
  std::string class_name;

  static constexpr auto fields() {
    return gantry::fields(
        gantry::field("class_name", &Question::class_name, "The class whose rows are counted"));
  }
};

class Example : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  void offer(gantry::Offer& offer) override {
    offer.tool("how_many", "Says in a sentence how many rows a class has.",
               [this](const Question& question, gantry::Call& call) { answer(question, call); });
  }

 private:
  void answer(const Question& question, gantry::Call& call) {
    const auto data = gantry::Data::of(host());
    const gantry::DataReply reply = data->run(call, "count", call.arguments());
    if (!reply.status) return gantry::Data::fail(call, reply);
    const auto meta = gantry::Json::parse(reply.meta);
    const auto count = meta ? meta->find("count") : std::nullopt;
    (void)call.text(question.class_name + " has " + std::string(count ? count->text() : "no") +
                    " rows");
  }
};

}  // namespace

GANTRY_PLUGIN(Example)
