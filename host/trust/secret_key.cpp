#include "host/trust/secret_key.hpp"

#include <sodium.h>

#include <cstring>
#include <optional>

#include "host/base/text.hpp"

namespace gantry::host::trust {
namespace {

// A key file: algorithm, key derivation, check sum (2 bytes each), salt, the two limits, then a
// part that may be encrypted: identity, key, check sum.
constexpr std::size_t kSalt = 32, kId = 8, kKey = 64, kSum = 32, kSealed = kId + kKey + kSum;
constexpr std::size_t kHead = 6 + kSalt + 16;
constexpr std::string_view kComment = "untrusted comment: ";

unsigned char* bytes_of(std::string& bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}
const unsigned char* bytes_of(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

// libsodium chooses the functions for this processor, and opens the source of random numbers.
Status start_library() {
  if (sodium_init() < 0) return Status::failed("the system gives no random numbers");
  return {};
}

void wipe(std::string& secret) { sodium_memzero(secret.data(), secret.size()); }

std::string little_endian(std::uint64_t value) {
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &value, 8);
  return bytes;
}

std::uint64_t number_at(std::string_view bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), 8);
  return value;
}

// XORs the password's stream over `sealed`, which encrypts and decrypts.
Status cross(std::string& sealed, std::string_view password, std::string_view salt,
             PasswordCost cost) {
  if (cost.memory > std::uint64_t{4} << 30U || cost.operations > std::uint64_t{1} << 30U) {
    return Status::invalid("the key file asks for more than 4 GiB of memory; make a new key");
  }
  if (Status ready = start_library(); !ready) return ready;
  std::string stream(sealed.size(), '\0');
  if (crypto_pwhash_scryptsalsa208sha256(bytes_of(stream), stream.size(), password.data(),
                                         password.size(), bytes_of(salt), cost.operations,
                                         cost.memory) != 0) {
    return Status::failed("there is not enough memory for the password of the key");
  }
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    sealed[i] = static_cast<char>(sealed[i] ^ stream[i]);
  }
  wipe(stream);
  return {};
}

std::string sum_of(std::string_view id, std::string_view key) {
  const std::string summed = "Ed" + std::string(id) + std::string(key);
  std::string sum(kSum, '\0');
  crypto_generichash(bytes_of(sum), sum.size(), bytes_of(std::string_view(summed)), summed.size(),
                     nullptr, 0);
  return sum;
}

std::string signature_of(const SecretKey& key, std::string_view message) {
  std::string signature(crypto_sign_BYTES, '\0');
  crypto_sign_detached(bytes_of(signature), nullptr, bytes_of(message), message.size(),
                       bytes_of(std::string_view(key.bytes)));
  return signature;
}

// The public point is the seed's.
bool is_whole(const SecretKey& key) {
  std::string point(crypto_sign_PUBLICKEYBYTES, '\0'), bytes(crypto_sign_SECRETKEYBYTES, '\0');
  crypto_sign_seed_keypair(bytes_of(point), bytes_of(bytes), bytes_of(std::string_view(key.bytes)));
  const bool same = bytes == key.bytes;
  wipe(bytes);
  return same;
}

// The bytes of a key file's second line.
std::optional<std::string> body_of(std::string_view text) {
  const auto end = text.find('\n');
  if (!text.starts_with(kComment) || end == std::string_view::npos) return std::nullopt;
  text.remove_prefix(end + 1);
  std::string_view line = text.substr(0, text.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  auto body = from_base64(line);
  if (!body || body->size() != kHead + kSealed) return std::nullopt;
  return body;
}

}  // namespace

SecretKey::~SecretKey() { wipe(bytes); }

Result<SecretKey> make_secret_key() {
  if (Status ready = start_library(); !ready) return ready;
  SecretKey key;
  key.id.resize(kId);
  key.bytes.resize(kKey);
  randombytes_buf(key.id.data(), key.id.size());
  std::string point(crypto_sign_PUBLICKEYBYTES, '\0');
  crypto_sign_keypair(bytes_of(point), bytes_of(key.bytes));
  return key;
}

Result<std::string> secret_key_file(const SecretKey& key, std::string_view password,
                                    PasswordCost cost) {
  std::string salt(kSalt, '\0');
  std::string sealed = key.id + key.bytes + sum_of(key.id, key.bytes);
  if (password.empty()) {
    cost = {0, 0};
  } else {
    if (Status ready = start_library(); !ready) return ready;
    randombytes_buf(salt.data(), salt.size());
    if (Status done = cross(sealed, password, salt, cost); !done) return done;
  }
  const std::string derivation = password.empty() ? std::string(2, '\0') : "Sc";
  std::string text =
      std::string(kComment) + "minisign " + (password.empty() ? "" : "encrypted ") + "secret key\n";
  append_base64(text, "Ed" + derivation + "B2" + salt + little_endian(cost.operations) +
                          little_endian(cost.memory) + sealed);
  wipe(sealed);
  return text + "\n";
}

Result<SecretKey> parse_secret_key(std::string_view text, const std::function<std::string()>& ask) {
  std::optional<std::string> body = body_of(text);
  const std::string head = body ? body->substr(0, 6) : std::string();
  const bool plain = head == std::string("Ed\0\0B2", 6);
  if (!plain && head != "EdScB2") {
    return Status::invalid(
        "this is no secret key of minisign; make one with gantry plugin keygen or minisign -G");
  }
  std::string sealed = body->substr(kHead);
  if (!plain) {
    std::string password = ask();
    const PasswordCost cost{number_at(body->substr(6 + kSalt)),
                            number_at(body->substr(14 + kSalt))};
    const Status done = cross(sealed, password, body->substr(6, kSalt), cost);
    wipe(password);
    if (!done) return done;
  }
  SecretKey key;
  key.id = sealed.substr(0, kId);
  key.bytes = sealed.substr(kId, kKey);
  const std::string sum = sealed.substr(kId + kKey);
  // minisign leaves the check sum of a key without password empty.
  const bool fits = sum == sum_of(key.id, key.bytes) ||
                    (plain && sum == std::string(kSum, '\0') && is_whole(key));
  wipe(sealed);
  wipe(*body);
  if (fits) return key;
  return plain ? Status::invalid("the secret key file is damaged: its check sum does not fit")
               : Status::denied("wrong password for the secret key");
}

Result<std::string> sign(const SecretKey& key, std::string_view bytes, std::string_view comment) {
  if (comment.find_first_of("\r\n") != std::string_view::npos) {
    return Status::invalid("the trusted comment is one line");
  }
  const std::string signature = signature_of(key, prehash(bytes));
  const std::string global = signature_of(key, signature + std::string(comment));
  std::string text = std::string(kComment) + "signature from gantry, key " + id_text(key.id) + "\n";
  append_base64(text, "ED" + key.id + signature);
  text += "\ntrusted comment: " + std::string(comment) + "\n";
  append_base64(text, global);
  return text + "\n";
}

}  // namespace gantry::host::trust
