#include "tools/gantry/help.hpp"

#include <CLI/CLI.hpp>

namespace gantry::cli {
namespace {

class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return {};
    std::string out;
    if (!option->get_positional()) out += " " + option->get_type_name();
    if (option->get_expected_max() == CLI::detail::expected_max_vector_size) out += " ...";
    if (option->get_required()) out += " REQUIRED";
    return out;
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

}  // namespace gantry::cli
