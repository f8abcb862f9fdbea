// gantry plugin keygen, sign and verify: keys and signatures in the format of minisign.
#include <fcntl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "host/plugin/file_bytes.hpp"
#include "host/trust/secret_key.hpp"
#include "host/trust/small_file.hpp"
#include "tools/gantry/plugin/plugin.hpp"

namespace gantry::cli {
namespace {

namespace fs = std::filesystem;
namespace trust = host::trust;

constexpr std::size_t kMaxText = 64U << 10U;
constexpr const char* kPasswordVariable = "GANTRY_KEY_PASSWORD";

struct SignOptions {
  std::string file, key, out, comment;
  bool no_password = false, force = false;
};
using OptionsPtr = std::shared_ptr<SignOptions>;

// Reads a password from the terminal without echo; without a terminal, a line of standard input.
std::string ask_password(const char* what) {
  if (const char* given = std::getenv(kPasswordVariable)) return given;
  const bool terminal = ::isatty(STDIN_FILENO) == 1;
  termios before{};
  if (terminal) {
    std::fprintf(stderr, "%s: ", what);
    ::tcgetattr(STDIN_FILENO, &before);
    termios silent = before;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
  }
  std::string line;
  std::getline(std::cin, line);
  if (terminal) {
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
    std::fputc('\n', stderr);
  }
  return line;
}

// Follows no link, and overwrites an existing file only with `force`.
Status write_file(const fs::path& file, const std::string& text, mode_t mode, bool force) {
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (force ? O_TRUNC : O_EXCL);
  const int fd = ::open(file.c_str(), flags, mode);
  if (fd < 0) {
    if (errno == EEXIST) return Status::failed(file.string() + " exists; --force replaces it");
    return Status::failed(file.string() + " cannot be written: " + std::strerror(errno));
  }
  ::fchmod(fd, mode);
  const auto done = ::write(fd, text.data(), text.size());
  const bool good = ::close(fd) == 0 && done == static_cast<ssize_t>(text.size());
  return good ? Status() : Status::failed(file.string() + " cannot be written completely");
}

Result<std::string> new_password(bool none) {
  if (none) return std::string();
  const std::string password = ask_password("Password of the new key");
  if (password.empty()) {
    return Status::invalid(std::string("a key needs a password: type one, set ") +
                           kPasswordVariable + ", or say --no-password");
  }
  if (std::getenv(kPasswordVariable) == nullptr && ::isatty(STDIN_FILENO) == 1 &&
      ask_password("The same again") != password) {
    return Status::invalid("the two passwords differ");
  }
  return password;
}

int keygen(const SignOptions& options) {
  const auto password = new_password(options.no_password);
  if (!password) return complain(password.status(), kUnusable);
  const auto key = trust::make_secret_key();
  if (!key) return complain(key.status(), kFailed);
  const auto text = trust::secret_key_file(*key, *password);
  if (!text) return complain(text.status(), kFailed);
  const std::string secret = options.out + ".key", open = options.out + ".pub";
  if (Status s = write_file(secret, *text, 0600, options.force); !s) return complain(s, kUnusable);
  const std::string line = trust::public_key_file(key->public_key());
  if (Status s = write_file(open, line, 0644, options.force); !s) return complain(s, kUnusable);
  std::printf("%s  signs; keep it secret\n%s  is for trust.keys of the hosts:\n%s\n",
              secret.c_str(), open.c_str(), trust::public_key_line(key->public_key()).c_str());
  return kDone;
}

std::string comment_for(const SignOptions& options) {
  if (!options.comment.empty()) return options.comment;
  return "timestamp:" + std::to_string(std::time(nullptr)) +
         "\tfile:" + fs::path(options.file).filename().string() + "\thashed";
}

int sign(const SignOptions& options) {
  const auto bytes = host::read_file_bytes(options.file);
  if (!bytes) return complain(options.file + ": " + bytes.message(), kUnusable);
  const auto text = trust::read_small_file(options.key, kMaxText);
  if (!text) return complain(text.status(), kUnusable);
  const auto key =
      trust::parse_secret_key(*text, [] { return ask_password("Password of the key"); });
  if (!key) return complain(options.key + ": " + key.message(), kUnusable);
  const auto signature = trust::sign(*key, *bytes, comment_for(options));
  if (!signature) return complain(signature.status(), kUnusable);
  const std::string out = options.file + ".minisig";
  // A new signature replaces the old one.
  if (Status s = write_file(out, *signature, 0644, true); !s) return complain(s, kUnusable);
  std::printf("%s  by the key %s\n", out.c_str(), trust::id_text(key->id).c_str());
  return kDone;
}

Result<trust::PublicKey> public_key(const std::string& given) {
  if (auto key = trust::parse_public_key(given)) return key;
  const auto text = trust::read_small_file(given, kMaxText);
  if (!text) {
    return Status::invalid("--key is neither a public key (RW…) nor a file with one: " +
                           text.message());
  }
  return trust::parse_public_key(*text);
}

int verify(const SignOptions& options) {
  const auto key = public_key(options.key);
  if (!key) return complain(key.status(), kUnusable);
  const auto bytes = host::read_file_bytes(options.file);
  if (!bytes) return complain(options.file + ": " + bytes.message(), kUnusable);
  const auto text = trust::read_small_file(options.file + ".minisig", kMaxText);
  if (!text) return complain("there is no signature: " + text.message(), kFailed);
  const auto signature = trust::parse_signature(*text);
  if (!signature) return complain(signature.status(), kFailed);
  const Status good = trust::verify(*key, *signature, *bytes);
  if (!good) return complain(options.file + ": " + good.message(), kFailed);
  std::printf("%s  is signed by the key %s\n%s\n", options.file.c_str(),
              trust::id_text(key->id).c_str(), signature->trusted_comment.c_str());
  return kDone;
}

CLI::App* command(CLI::App& parent, Run& run, const char* name, const char* about,
                  const OptionsPtr& options, int (*what)(const SignOptions&)) {
  CLI::App* out = parent.add_subcommand(name, about);
  out->callback([&run, options, what] { run = [options, what] { return what(*options); }; });
  return out;
}

}  // namespace

void declare_plugin_sign(CLI::App& parent, Run& run) {
  const auto options = std::make_shared<SignOptions>();
  CLI::App* make =
      command(parent, run, "keygen", "Make a pair of keys for signing plugins", options, keygen);
  make->add_option("NAME", options->out, "Makes NAME.key (secret) and NAME.pub")->required();
  make->add_flag("--no-password", options->no_password, "Do not encrypt the secret key");
  make->add_flag("--force", options->force, "Replace files that are there");
  make->footer(std::string("The files are those of minisign. The password comes from the terminal, "
                           "or from ") +
               kPasswordVariable + ".");
  CLI::App* put = command(parent, run, "sign", "Sign a plugin: makes FILE.minisig", options, sign);
  put->add_option("FILE", options->file, "The plugin's .so")->required();
  put->add_option("--key", options->key, "The secret key's file")->required();
  put->add_option("--comment", options->comment, "A line that is signed too [time and file name]");
  CLI::App* test =
      command(parent, run, "verify", "Say whether FILE.minisig is a signature of the plugin",
              options, verify);
  test->add_option("FILE", options->file, "The plugin's .so")->required();
  test->add_option("--key", options->key, "The public key, or its file")->required();
}

}  // namespace gantry::cli
