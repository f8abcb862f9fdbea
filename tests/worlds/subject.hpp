// tests/worlds/subject.hpp: the data plugin over one world, asked as a host asks it.
//
// It makes a database and a model in a folder of its own, which it removes. One thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <gantry/testing/fake_host.hpp>

#include "draw.hpp"
#include "world.hpp"

namespace gantry::worlds {

struct SubjectOptions {
  std::string agent_scope;  // of calls that name none; empty: no rules but the model's
  bool shows_plans = false;
  bool writes = false;  // of the tier admin; the gates are the environment's
  std::size_t max_answer_bytes = std::size_t{4} << 20U;
};

class Subject {
 public:
  // A failure fails the running test.
  Subject(const std::string& sql, const ModelFiles& model, const SubjectOptions& options);
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  ~Subject();

  // Everything that the caller learns, as text: parts or error, lists, the rows of an export.
  // Identifiers that are random by design are masked. `scope` is that of another agent.
  std::string ask(const Request& request, const std::string& scope = "");

 private:
  std::string export_text(const testing::Reply& written, const testing::CallOptions& options);

  std::filesystem::path folder_;
  std::unique_ptr<testing::FakeHost> host_;
};

}  // namespace gantry::worlds
