#include "host/worker/messages.hpp"

namespace gantry::host::worker {
namespace {

constexpr std::uint32_t kMaxServices = 1024;

}  // namespace

void Setup::put_into(FrameWriter& frame) const {
  frame.text(config).number(static_cast<std::uint32_t>(services.size()));
  for (const std::string_view id : services) frame.text(id);
}

std::optional<Setup> Setup::from(std::string_view body) {
  BodyReader reader(body);
  Setup setup;
  setup.config = reader.text();
  const auto count = reader.number<std::uint32_t>();
  if (count > kMaxServices) return std::nullopt;
  for (std::uint32_t i = 0; i < count && reader.ok(); ++i) setup.services.push_back(reader.text());
  if (!reader.complete()) return std::nullopt;
  return setup;
}

void Entry::put_into(FrameWriter& frame) const {
  frame.text(kind).text(name).text(arguments).number(deadline);
  frame.text(agent).text(protocol).text(correlation_id).text(max_answer_bytes);
  frame.text(state).number(room);
}

std::optional<Entry> Entry::from(std::string_view body) {
  BodyReader reader(body);
  Entry entry;
  entry.kind = reader.text();
  entry.name = reader.text();
  entry.arguments = reader.text();
  entry.deadline = reader.number<std::uint64_t>();
  entry.agent = reader.text();
  entry.protocol = reader.text();
  entry.correlation_id = reader.text();
  entry.max_answer_bytes = reader.text();
  entry.state = reader.text();
  entry.room = reader.number<std::uint64_t>();
  if (!reader.complete()) return std::nullopt;
  return entry;
}

std::optional<Parts> parts_from(BodyReader& body) {
  Parts parts;
  while (body.ok() && !body.at_end()) {
    const std::string_view type = body.text();
    parts.emplace_back(type, body.text());
  }
  if (!body.ok()) return std::nullopt;
  return parts;
}

}  // namespace gantry::host::worker
