#include "tools/gantry/model/given_names.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace gantry::cli {
namespace {

constexpr const char* kNames =
    "Aaron Abdul Abigail Ada Adam Adrian Agnes Ahmed Aisha Akira Alan Albert Alejandro "
    "Alessandro Alex Alexander Alexandra Alexis Alfred Ali Alice Alicia Alison Amanda "
    "Amelia Amina Amir Amy Ana Anastasia Andrea Andreas Andrei Andrew Andrzej Angela "
    "Anita Anja Anke Ann Anna Anne Annette Anton Antonio Arjun Arthur Ashley Astrid "
    "Aylin Barbara Ben Benjamin Bernd Bernhard Birgit Björn Bob Boris Brandon Brenda "
    "Brian Brigitte Bruno Camille Carl Carla Carlos Carmen Carol Caroline Catherine "
    "Cecilia Charles Chiara Chloe Chloé Chris Christian Christina Christine Christoph "
    "Christopher Claire Clara Claudia Claus Clémence Connor Cristina Cynthia Daniel "
    "Daniela Darren Dave David Deborah Denise Dennis Diego Dieter Dirk Dmitri Dominik "
    "Donald Donna Dorothy Douglas Dylan Edgar Edith Edsger Eduardo Edward Eleanor Elena "
    "Elias Elif Elisabeth Elizabeth Ella Ellen Elsa Emil Emily Emma Enrique Eric Erich "
    "Erik Erika Ethan Eugene Eva Evelyn Fabian Fatima Felipe Felix Fernando Fiona "
    "Florian Frances Francesca Francesco Francisco Franz Fred Frederik Friedrich Fritz "
    "Gabriel Gabriela Gary Georg George Gerald Gerhard Gertrud Giovanni Giulia Giuseppe "
    "Gloria Gordon Greg Gregory Greta Guillaume Gustav Günter Günther Hanna Hannah Hans "
    "Harald Harold Harry Hassan Heather Hedy Heidi Heike Heinrich Heinz Helen Helena "
    "Helga Helmut Henrik Henry Herbert Hermann Hiroshi Holger Horst Hugo Ibrahim Ida "
    "Igor Ines Inge Ingrid Irene Irina Isaac Isabel Isabella Isabelle Ivan Jacob "
    "Jacqueline Jakob James Jan Jane Janet Janina Jason Javier Jean Jeffrey Jennifer "
    "Jens Jeremy Jessica Jin Joan Joanna Joe Joel Johan Johann Johanna Johannes John "
    "Jonas Jonathan Jorge Jose Josef Joseph Joshua José Juan Judith Julia Julian Julie "
    "Justin Jutta Jörg Jürgen Kai Karen Karin Karl Karsten Katarina Kate Katharina "
    "Katherine Kathleen Kathryn Katja Katrin Keith Kelly Ken Kenji Kenneth Kerstin "
    "Kevin Khalid Kim Klaus Konrad Kristina Kurt Kyle Lars Laura Lauren Lawrence Lea "
    "Lena Leo Leon Leonard Li Liam Lina Linda Linus Lisa Louis Louise Luca Lucas Lucia "
    "Luis Luisa Lukas Lydia Manfred Manuel Marc Marcel Marco Marcus Margaret Maria "
    "Marie Marina Mario Marion Markus Marta Martha Martin Martina Mary María Mateo "
    "Matteo Matthew Matthias Max Maximilian Megan Mehmet Mei Melanie Melissa Mia "
    "Michael Michaela Michelle Miguel Mike Mohamed Mohammad Mohammed Monika Moritz "
    "Muhammad Mustafa Nadia Nadine Nancy Natalia Natalie Nathan Nicholas Nick Nicolas "
    "Nicole Niels Nikolai Nina Noah Nora Norbert Norman Olaf Oleg Olga Oliver Olivia "
    "Omar Oscar Otto Pablo Pamela Patricia Patrick Paul Paula Pauline Pedro Peter Petra "
    "Philip Philipp Phillip Pierre Pietro Piotr Priya Rachel Rahul Rainer Raj Ralf "
    "Ramon Raphael Rebecca Renate Ricardo Richard Rita Robert Roberto Robin Roger "
    "Roland Ronald Rosa Roy Ruth Ryan Sabine Sally Sam Samantha Samuel Sandra Sara "
    "Sarah Scott Sean Sebastian Sergei Sergio Sharon Silvia Simon Simone Sofía Sophia "
    "Sophie Stefan Stefanie Stephan Stephanie Stephen Steve Steven Susan Susanne Sven "
    "Svetlana Sylvia Tanja Tatjana Teresa Theodor Theresa Thomas Thorsten Tim Timothy "
    "Tina Tobias Tom Torsten Tyler Ulrich Ulrike Ursula Uta Ute Uwe Valentina Vanessa "
    "Vera Veronika Vincent Vladimir Walter Wei Werner Wilhelm William Wolfgang Xavier "
    "Yasmin Yuki Yusuf Yvonne Zachary Zoe Zoë Émile ";

const std::vector<std::string>& sorted_names() {
  static const std::vector<std::string> kSorted = [] {
    std::vector<std::string> names;
    std::istringstream words(kNames);
    for (std::string name; words >> name;) names.push_back(name);
    std::sort(names.begin(), names.end());
    return names;
  }();
  return kSorted;
}

}  // namespace

bool is_common_given_name(std::string_view name) {
  return std::binary_search(sorted_names().begin(), sorted_names().end(),
                            std::string(name.substr(0, name.find('-'))));
}

}  // namespace gantry::cli
