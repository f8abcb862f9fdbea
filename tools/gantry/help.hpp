// tools/gantry/help.hpp: how --help shows options.
#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}  // namespace CLI

namespace gantry::cli {

// Shows the type of a value and whether it must be given, and no lists of the options that it
// excludes or needs: the error names these. Subcommands inherit it.
std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace gantry::cli
