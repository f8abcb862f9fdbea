#include "tools/gantry/check/bench.hpp"

#include "tools/gantry/check/sample.hpp"

namespace gantry::cli {
namespace {

// The sentence without the plugin's name, which stands in the head of the report.
std::string without_name(const std::string& sentence) {
  constexpr std::string_view kWords = " broke the contract: ";
  const auto at = sentence.find(kWords);
  return at == std::string::npos ? sentence : sentence.substr(at + kWords.size());
}

std::string hint(const Subject& subject) {
  if (subject.surroundings.config == "{}" && !subject.manifest.config_schema.empty()) {
    return "; if it needs a configuration, give one: --config '{…}'";
  }
  return {};
}

}  // namespace

Bench::Bench(const Subject& subject, const host::Library& mapped, Report& report)
    : host_(testing::Linked{mapped.table(), subject.look.manifest},
            fake_options(subject, [&report](const std::string& sentence) {
              report.fault(without_name(sentence));
            })) {}

std::unique_ptr<Bench> Bench::start(const Subject& subject, const host::Library& mapped,
                                    Report& report) {
  std::unique_ptr<Bench> bench(new Bench(subject, mapped, report));
  const Status started = bench->host_.start();
  if (started) return bench;
  report.fault("it does not start: " + started.message() + hint(subject));
  return nullptr;
}

void Bench::finish(Report& report) {
  const Status stopped = host_.stop();
  if (!stopped) report.fault(stopped.message());
}

std::optional<host::Library> map_or_say(const Subject& subject, Report& report) {
  Result<host::Library> mapped = map_subject(subject);
  if (mapped) return std::move(*mapped);
  report.fault("it cannot be loaded: " + mapped.message());
  return std::nullopt;
}

std::optional<std::string> arguments_for(const Subject& subject, const testing::FakeHost& host,
                                         std::string_view tool) {
  const auto given = subject.surroundings.arguments.find(tool);
  if (given != subject.surroundings.arguments.end()) return given->second;
  const std::string schema = host.input_schema(tool);
  return schema.empty() ? "{}" : sample(schema);
}

}  // namespace gantry::cli
