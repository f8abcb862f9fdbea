#include "tools/gantry/dev/build.hpp"

#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <system_error>

#include "tools/gantry/project/sdk.hpp"

namespace gantry::cli {
namespace fs = std::filesystem;
namespace {

std::vector<fs::path> libraries(const fs::path& directory) {
  std::vector<fs::path> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    if (entry.path().extension() == ".so" && entry.is_regular_file(error))
      out.push_back(entry.path());
  }
  return out;
}

bool is_in_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

std::vector<std::string> configure(const Build& build) {
  std::vector<std::string> out{
      "cmake", "-S", build.root.string(), "-B", build.made.string(), "-DBUILD_TESTING=OFF"};
  if (is_in_path("ninja")) out.insert(out.end(), {"-G", "Ninja"});
  if (const std::string prefix = sdk_prefix(); !prefix.empty()) {
    out.push_back("-DCMAKE_PREFIX_PATH=" + prefix);
  }
  return out;
}

}  // namespace

std::vector<std::vector<std::string>> Build::commands() const {
  const std::string where = root.string();
  if (tool == "cargo") {
    return {{"cargo", "build", "--release", "--manifest-path", where + "/Cargo.toml",
             "--target-dir", made.string()}};
  }
  if (tool == "make") return {{"make", "-C", where}};
  std::vector<std::vector<std::string>> out;
  std::error_code error;
  if (!fs::exists(made / "CMakeCache.txt", error)) out.push_back(configure(*this));
  out.push_back({"cmake", "--build", made.string()});
  return out;
}

Result<fs::path> Build::product() const {
  for (const auto& folder : folders) {
    const auto found = libraries(root / folder);
    if (found.size() == 1) return found.front();
    if (found.empty()) continue;
    return Status::failed("the build made several .so files in " + (root / folder).string() +
                          "; a project is one plugin");
  }
  std::string places;
  for (const auto& folder : folders) places += (places.empty() ? "" : ", ") + folder;
  return Status::failed("the build made no .so file in " + places + " of " + root.string());
}

Result<Build> detect_build(const fs::path& root) {
  std::error_code error;
  if (!fs::is_directory(root, error)) {
    return Status::invalid(root.string() + " is no folder");
  }
  const fs::path at = fs::canonical(root, error);
  if (fs::exists(at / "CMakeLists.txt", error)) {
    return Build{at, "cmake", at / "build", {"build/plugins", "build/test-plugins", "build"}};
  }
  if (fs::exists(at / "Cargo.toml", error)) {
    return Build{at, "cargo", at / "target", {"target/release"}};
  }
  for (const auto name : {"GNUmakefile", "makefile", "Makefile"}) {
    if (fs::exists(at / name, error)) {
      return Build{at, "make", at / "build", {"build/plugins", "build", "."}};
    }
  }
  return Status::invalid(at.string() +
                         " has neither CMakeLists.txt nor Cargo.toml nor a Makefile; make a "
                         "project with gantry plugin new");
}

}  // namespace gantry::cli
