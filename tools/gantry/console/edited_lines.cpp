#include <fcntl.h>
#include <histedit.h>
#include <sys/stat.h>
#include <unistd.h>

#include <langinfo.h>
#include <clocale>
#include <cstdio>
#include <cstring>
#include <cwchar>

#include "tools/gantry/console/lines.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli::console {
namespace {

constexpr int kMostHistory = 1000;
constexpr std::size_t kMostShown = 100;

// The text of the user is UTF-8, in the locale "C" too.
void use_utf8() {
  std::setlocale(LC_CTYPE, "");
  if (std::strcmp(::nl_langinfo(CODESET), "UTF-8") != 0) std::setlocale(LC_CTYPE, "C.UTF-8");
}

// The word at the end of `before`.
std::string_view last_word_of(std::string_view before) {
  const std::size_t blank = before.find_last_of(" \t");
  std::string_view word = blank == before.npos ? before : before.substr(blank + 1);
  const std::size_t equals = word.find('=');
  return equals == word.npos ? word : word.substr(equals + 1);
}

// Candidates in columns of the terminal.
std::string list_of(const std::vector<std::string>& candidates) {
  std::size_t widest = 0, column = 0;
  for (const auto& one : candidates) widest = std::max(widest, one.size());
  const std::size_t per_line = std::max<std::size_t>(1, terminal_columns() / (widest + 2));
  std::string out;
  for (const auto& one : candidates) {
    const std::string shown = printable(one);
    out += shown;
    if (++column % per_line == 0) {
      out += '\n';
    } else {
      out += std::string(widest + 2 - std::min(shown.size(), widest), ' ');
    }
  }
  if (!out.ends_with('\n')) out += '\n';
  return out;
}

class EditedLines final : public Lines {
 public:
  EditedLines(Stop& stop, std::string file, Complete complete)
      : stop_(&stop), file_(std::move(file)), complete_(std::move(complete)) {
    use_utf8();
    history_ = ::history_init();
    editor_ = ::el_init("gantry", stdin, stdout, stderr);
    ::el_set(editor_, EL_CLIENTDATA, this);
    ::el_set(editor_, EL_SIGNAL, 0);
    ::el_set(editor_, EL_PROMPT, prompt_of);
    ::el_set(editor_, EL_EDITOR, "emacs");
    ::el_set(editor_, EL_GETCFN, next_character);
    // The wide form keeps the two texts; the narrow one copies them and never frees the copies.
    ::el_wset(editor_, EL_ADDFN, L"gantry-complete", L"completes the word", on_tab);
    ::el_set(editor_, EL_BIND, "^I", "gantry-complete", nullptr);
    ::el_set(editor_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    HistEvent event;
    ::history(history_, &event, H_SETSIZE, kMostHistory);
    ::history(history_, &event, H_SETUNIQUE, 1);
    ::el_set(editor_, EL_HIST, ::history, history_);
    if (!file_.empty()) ::history(history_, &event, H_LOAD, file_.c_str());
  }
  ~EditedLines() override {
    ::el_end(editor_);
    ::history_end(history_);
  }
  EditedLines(const EditedLines&) = delete;
  EditedLines& operator=(const EditedLines&) = delete;

  LineEnd read(const std::string& prompt, std::string& line) override {
    prompt_ = prompt;
    is_interrupted_ = false;
    ::el_resize(editor_);
    int length = 0;
    const char* text = ::el_gets(editor_, &length);
    if (is_interrupted_) {
      std::fputs("^C\n", stdout);
      return LineEnd::interrupted;
    }
    if (text == nullptr || length <= 0) return LineEnd::ended;
    line.assign(text, static_cast<std::size_t>(length));
    while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
    return LineEnd::line;
  }

  void remember(const std::string& command) override {
    if (command.empty() || command.front() == ' ') return;
    HistEvent event;
    ::history(history_, &event, H_ENTER, command.c_str());
    if (file_.empty()) return;
    const int fd = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) return;
    ::close(fd);
    ::history(history_, &event, H_SAVE, file_.c_str());
    ::chmod(file_.c_str(), 0600);
  }

 private:
  static EditedLines& self_of(EditLine* editor) {
    void* self = nullptr;
    ::el_get(editor, EL_CLIENTDATA, &self);
    return *static_cast<EditedLines*>(self);
  }
  static char* prompt_of(EditLine* editor) { return self_of(editor).prompt_.data(); }

  // Waits for the keyboard and for signals at once, so that no handler is needed.
  static int next_character(EditLine* editor, wchar_t* out) {
    EditedLines& self = self_of(editor);
    std::mbstate_t state{};
    for (;;) {
      if (wait_for(0, *self.stop_, std::chrono::milliseconds(-1)) == Woken::stopped) {
        self.is_interrupted_ = true;
        return -1;
      }
      char byte = 0;
      const ssize_t got = ::read(0, &byte, 1);
      if (got <= 0) return static_cast<int>(got);
      const std::size_t used = std::mbrtowc(out, &byte, 1, &state);
      if (used == static_cast<std::size_t>(-2)) continue;
      if (used == static_cast<std::size_t>(-1)) *out = L'?';
      return 1;
    }
  }

  static unsigned char on_tab(EditLine* editor, int /*key*/) {
    EditedLines& self = self_of(editor);
    const LineInfo* line = ::el_line(editor);
    const std::string before(line->buffer, line->cursor);
    const auto candidates = self.complete_(before);
    if (candidates.empty()) return CC_REFRESH_BEEP;
    const std::string added = addition_of(last_word_of(before), candidates);
    if (!added.empty()) return ::el_insertstr(editor, added.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
    if (candidates.size() < 2 || candidates.size() > kMostShown) return CC_REFRESH_BEEP;
    std::fputs(("\n" + list_of(candidates)).c_str(), stdout);
    std::fflush(stdout);
    return CC_REDISPLAY;
  }

  Stop* const stop_;
  const std::string file_;
  const Complete complete_;
  EditLine* editor_ = nullptr;
  History* history_ = nullptr;
  std::string prompt_;
  bool is_interrupted_ = false;
};

}  // namespace

std::unique_ptr<Lines> edited_lines(Stop& stop, const std::string& history, Complete complete) {
  return std::make_unique<EditedLines>(stop, history, std::move(complete));
}

}  // namespace gantry::cli::console
