#include <future>
#include <thread>

#include "host/loader/library.hpp"
#include "host/registry/registry.hpp"
#include "tests/host/loader/loader_fixture.hpp"

namespace gantry::host::testing {
namespace {

using Unload = LoaderTest;
using namespace std::chrono_literals;

TEST_F(Unload, UnmapsTheLoadedPlugins) {
  const auto before = mapped_inodes().size();
  load({"good/echo", "good/alpha_user"});
  EXPECT_EQ(mapped_inodes().size(), before + 2);
  const UnloadResult result = loader().unload_all(1s);
  EXPECT_EQ(result.unloaded, 2u);
  EXPECT_EQ(result.leaked + result.kept + result.in_use, 0u);
  EXPECT_EQ(mapped_inodes().size(), before);
}

TEST_F(Unload, KeepsALibraryMappedThatPromisesNothing) {
  const auto before = mapped_inodes().size();
  load({"good/keeps"});
  const UnloadResult result = loader().unload_all(1s);
  EXPECT_EQ(result.kept, 1u);
  EXPECT_EQ(mapped_inodes().size(), before + 1);
}

TEST_F(Unload, WaitsForTheHoldersOfAnInstance) {
  LoadResult loaded = load({"good/echo"});
  InstancePtr held = loaded.instances[0];
  loaded.instances.clear();
  std::thread holder([held = std::move(held)]() mutable {
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(held->invoke("tool", "echo", nullptr), GANTRY_OK);
    held.reset();
  });
  EXPECT_EQ(loader().unload_all(5s).unloaded, 1u);
  holder.join();
}

TEST_F(Unload, LeavesAnInstanceRunningThatIsHeldAtTheDeadline) {
  LoadResult loaded = load({"good/echo"});
  EXPECT_EQ(loader().unload_all(20ms).in_use, 1u);
  EXPECT_EQ(loaded.instances[0]->invoke("tool", "echo", nullptr), GANTRY_OK);
}

TEST_F(Unload, IsDoneOnceTheRegistryLetsGo) {
  Registry registry;
  {
    LoadResult loaded = load({"good/echo", "good/alpha_user"});
    registry.set_plugins(loaded.instances, loaded.refused);
  }
  EXPECT_EQ(registry.current()->tools.size(), 2u);
  registry.set_plugins({}, {});
  Registry::release_cached();
  EXPECT_EQ(loader().unload_all(2s).unloaded, 2u);
}

TEST_F(Unload, LoadsTheSameFileAgainUnderANewName) {
  load({"good/echo"});
  loader().unload_all(1s);
  const LoadResult again = load({"good/echo"});
  ASSERT_EQ(again.instances.size(), 1u);
  EXPECT_EQ(again.instances[0]->invoke("tool", "echo", nullptr), GANTRY_OK);
}

Result<Library> open_copy(const char* name) { return Library::open(sealed(fixture(name)), false); }

// Descriptors are numbered from the lowest free one, and the dynamic linker knows libraries by
// path.
TEST_F(Unload, ANumberOfADescriptorThatIsUsedAgainIsAnotherLibrary) {
  SealedFilePtr kept = sealed(fixture("good/echo"));
  Result<Library> pinned = Library::open(kept, true);
  ASSERT_TRUE(pinned) << pinned.message();
  const gantry_plugin* const first = &pinned->table();
  const int number = kept->fd();
  kept.reset();
  EXPECT_FALSE(pinned->close()) << "it is pinned";
  const SealedFilePtr again = sealed(fixture("good/echo"));
  ASSERT_EQ(again->fd(), number);
  Result<Library> other = Library::open(again, false);
  ASSERT_TRUE(other) << other.message();
  EXPECT_NE(&other->table(), first);
  EXPECT_TRUE(other->close());
}

TEST_F(Unload, RefusesAFileThatIsMapped) {
  const SealedFilePtr file = sealed(fixture("good/echo"));
  Result<Library> one = Library::open(file, false);
  ASSERT_TRUE(one) << one.message();
  EXPECT_EQ(Library::open(file, false).message(), "the same memory file is loaded already");
  ASSERT_TRUE(one->close());
  EXPECT_TRUE(Library::open(file, false));
}

TEST_F(Unload, GivesBackTheThreadKeysThatALibraryLeaves) {
  // More often than a process has keys.
  for (int i = 0; i < PTHREAD_KEYS_MAX + 10; ++i) {
    Result<Library> library = open_copy("good/thread_key");
    ASSERT_TRUE(library) << library.message();
    void* self = nullptr;
    ASSERT_EQ(library->table().create(nullptr, nullptr, &self), GANTRY_OK) << i;
    ASSERT_TRUE(library->close());
  }
}

TEST_F(Unload, LetsAThreadEndThatHasAValueOfALibraryThatIsGone) {
  Result<Library> library = open_copy("good/thread_key");
  ASSERT_TRUE(library) << library.message();
  void* self = nullptr;
  ASSERT_EQ(library->table().create(nullptr, nullptr, &self), GANTRY_OK);
  std::promise<gantry_status> called;
  std::promise<void> gone;
  std::thread caller([&] {
    called.set_value(library->table().invoke(self, {}, {}, nullptr));
    gone.get_future().wait();
  });
  EXPECT_EQ(called.get_future().get(), GANTRY_OK);
  EXPECT_TRUE(library->close());
  gone.set_value();
  caller.join();
}

TEST_F(Unload, RefusesALibraryWhenThereAreNoThreadKeysLeft) {
  std::vector<pthread_key_t> keys;
  for (pthread_key_t key = 0; ::pthread_key_create(&key, nullptr) == 0;) keys.push_back(key);
  const Result<Library> refused = open_copy("good/echo");
  for (const pthread_key_t key : keys) ::pthread_key_delete(key);
  EXPECT_NE(refused.message().find("thread-specific keys"), std::string::npos) << refused.message();
  EXPECT_TRUE(open_copy("good/echo"));
}

}  // namespace
}  // namespace gantry::host::testing
