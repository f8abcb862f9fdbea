#include "host/auth/agents/agents_file.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include <gantry/schema/validator.hpp>

#include "host/auth/agents/read_profile.hpp"
#include "host/config/positions.hpp"

namespace gantry::host {
namespace {

// The rest of a file that the schema has accepted. Every error becomes a line of `faults`.
class Reading {
 public:
  Reading(const Located& located, const std::filesystem::path& file)
      : located_(located), file_(file) {}

  Result<AgentsFile> read() {
    read_roles();
    for (const auto& entry : located_.document["agents"].GetObject()) {
      const std::string name(entry.name.GetString(), entry.name.GetStringLength());
      auto agent = read_profile(name, entry.value, out_.roles);
      if (agent) {
        out_.agents.emplace(name, std::move(*agent));
      } else {
        refuse("/agents/" + name, agent.message());
      }
    }
    if (faults_.empty()) read_issuers();
    if (!faults_.empty()) return Status::invalid(faults_);
    return std::move(out_);
  }

 private:
  void read_roles() {
    const auto found = located_.document.FindMember("roles");
    if (found == located_.document.MemberEnd()) return;
    Roles::Included included;
    for (const auto& entry : found->value.GetObject()) {
      auto& of = included[{entry.name.GetString(), entry.name.GetStringLength()}];
      for (const auto& role : entry.value.GetArray())
        of.emplace_back(role.GetString(), role.GetStringLength());
    }
    auto roles = Roles::make(std::move(included));
    if (!roles) return refuse("/roles", roles.message());
    out_.roles = std::move(*roles);
  }

  void read_issuers() {
    const auto found = located_.document.FindMember("jwt");
    if (found == located_.document.MemberEnd()) return;
    for (rapidjson::SizeType i = 0; i < found->value.Size(); ++i) {
      const std::string place = "/jwt/" + std::to_string(i);
      auto issuer = read_issuer(found->value[i], out_, file_.parent_path());
      if (!issuer) {
        refuse(place, issuer.message());
      } else if (has(issuer->issuer)) {
        refuse(place, "the issuer '" + issuer->issuer + "' stands twice");
      } else {
        out_.issuers.push_back(std::move(*issuer));
      }
    }
  }

  bool has(const std::string& issuer) const {
    return std::any_of(out_.issuers.begin(), out_.issuers.end(),
                       [&](const JwtIssuer& each) { return each.issuer == issuer; });
  }

  void refuse(const std::string& place, const std::string& why) {
    if (!faults_.empty()) faults_ += '\n';
    faults_ += file_.string() + ":" + std::to_string(located_.line_of(place)) + ": " +
               place.substr(1) + ": " + why;
  }

  const Located& located_;
  const std::filesystem::path& file_;
  AgentsFile out_;
  std::string faults_;
};

}  // namespace

AgentPtr AgentsFile::find(std::string_view name) const {
  const auto found = agents.find(name);
  return found == agents.end() ? nullptr : found->second;
}

std::string AgentsFile::names() const {
  std::string out;
  for (const auto& [name, agent] : agents) out += (out.empty() ? "" : ", ") + name;
  return out.empty() ? "none" : out;
}

Result<AgentsFile> read_agents(std::string_view text, const std::filesystem::path& file) {
  auto located = locate(text, file.string());
  if (!located) return located.status();
  static const auto kSchema = schema::Validator::compile(agents_schema());
  if (!kSchema) return kSchema.status();
  if (!kSchema->validate(located->document)) {
    return Status::invalid(located_sentences(kSchema->errors(located->document), *located,
                                             file.string(), "agents file"));
  }
  return Reading(*located, file).read();
}

Result<AgentsFile> read_agents_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in.is_open() || in.bad()) {
    return Status::invalid("cannot read the agents file " + file.string() +
                           "; correct --agents, or its permissions");
  }
  return read_agents(text, file);
}

}  // namespace gantry::host
