// Pistache's library is not built with ThreadSanitizer, so the atomic operations inside it are
// invisible: releasing a shared connection object on its accept thread looks like a race with our
// I/O thread. Only its own two functions are named; io threads' stacks are checked as ever.
extern "C" const char* __tsan_default_suppressions();

extern "C" const char* __tsan_default_suppressions() {
  return "race:Pistache::Tcp::Listener::handleNewConnection\n"
         "race:Pistache::Polling::Epoll::addFd\n";
}
