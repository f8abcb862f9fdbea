// policy/model_notes.hpp: what the model's rules cost or hide without a word, as sentences for
// operators.
//
// Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

namespace gantry::data {

class Catalog;

// A view or full-text table that the model does not rule, over classes that it hides or rules: such
// a view is absent for every agent that sees less of one of them than its table holds.
struct HiddenView {
  std::string name;
  std::vector<std::string> over;  // those classes
};
std::vector<HiddenView> hidden_views(const Catalog& catalog);

// One sentence for each hidden view, for each rule about rows whose column no index serves (the
// time of a read tells of rows that the agent may not see), and for each class with such a rule
// whose ids number all rows (gaps tell how many others there are). Hidden classes are left out.
std::vector<std::string> model_notes(const Catalog& catalog);

}  // namespace gantry::data
