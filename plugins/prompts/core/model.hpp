// core/model.hpp: the classes and tools that the caller of one call sees.
//
// A view of the call; its thread. Errors have ended the call already, with candidates where an
// argument is wrong: return them as they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gantry/data.hpp>

#include "core/schema.hpp"
#include "core/text.hpp"

namespace prompts {

// What the plugin asks; cheap to copy.
struct Services {
  gantry::Data data;
  gantry::Catalog catalog;
};

class Model {
 public:
  Model(const Services& services, const gantry::Call& call) : services_(services), call_(call) {}

  gantry::Result<Names> class_names() const;  // sorted

  // The class that `argument` names; a name that is not visible is that argument's fault.
  gantry::Result<ClassSchema> open(std::string_view argument, std::string_view class_name) const;

  // The field of that class; `candidates` are named when it is not there.
  gantry::Result<FieldInfo> field(std::string_view argument, const ClassSchema& schema,
                                  std::string_view name) const;

  bool has_tool(std::string_view name) const;

  // Ends the call: an argument makes no sense.
  gantry::Status refuse(std::string_view argument, std::string_view why) const;

 private:
  gantry::Status failed(std::string_view argument, const gantry::DataReply& reply) const;

  const Services& services_;
  const gantry::Call& call_;
};

}  // namespace prompts
