#include "host/trust/secret_key.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <cstring>
#include <memory>
#include <optional>

#include "host/base/json.hpp"
#include "host/base/text.hpp"
#include "host/trust/blake2b.hpp"

namespace gantry::host::trust {
namespace {

// A key file: algorithm, key derivation, check sum (2 bytes each), salt, the two limits, then what
// may be encrypted: identity, key, check sum.
constexpr std::size_t kSalt = 32, kId = 8, kKey = 64, kSum = 32, kSealed = kId + kKey + kSum;
constexpr std::size_t kHead = 6 + kSalt + 16;
constexpr std::string_view kComment = "untrusted comment: ";

using Pkey = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

unsigned char* data_of(std::string& bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}
const unsigned char* data_of(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

Status no_crypto(const char* what) {
  return Status::failed(std::string("the cryptographic library cannot ") + what);
}

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

struct Scrypt {
  std::uint64_t n = 2, r = 8, p = 1;
};

// The parameters that the limits of a key file stand for. All whose format this is count alike.
Scrypt scrypt_of(PasswordCost cost) {
  Scrypt out;
  const std::uint64_t operations = cost.operations < 32768 ? 32768 : cost.operations;
  const bool by_operations = operations < cost.memory / 32;
  const std::uint64_t most = by_operations ? operations / (4 * out.r) : cost.memory / (128 * out.r);
  while (out.n <= most / 2 && out.n < std::uint64_t{1} << 62U) out.n *= 2;
  if (by_operations) return out;
  const std::uint64_t blocks = operations / 4 / out.n;
  out.p = (blocks > 0x3fffffff ? 0x3fffffff : blocks) / out.r;
  return out;
}

// XORs the password's stream over `sealed`, which encrypts and decrypts.
Status cross(std::string& sealed, std::string_view password, std::string_view salt,
             PasswordCost cost) {
  if (cost.memory > std::uint64_t{4} << 30U || cost.operations > std::uint64_t{1} << 30U) {
    return Status::invalid("the key file asks for more than 4 GiB of memory; make a new key");
  }
  const Scrypt with = scrypt_of(cost);
  std::string stream(sealed.size(), '\0');
  const std::uint64_t room = cost.memory + (std::uint64_t{64} << 20U);
  if (EVP_PBE_scrypt(password.data(), password.size(), data_of(salt), salt.size(), with.n, with.r,
                     with.p, room, data_of(stream), stream.size()) != 1) {
    return Status::failed("there is not enough memory for the password of the key");
  }
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    sealed[i] = static_cast<char>(sealed[i] ^ stream[i]);
  }
  OPENSSL_cleanse(stream.data(), stream.size());
  return {};
}

std::string sum_of(std::string_view id, std::string_view key) {
  return blake2b("Ed" + std::string(id) + std::string(key), kSum);
}

Pkey seed_of(const SecretKey& key) {
  return {EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr,
                                       data_of(std::string_view(key.bytes)), 32),
          EVP_PKEY_free};
}

Result<std::string> signature_of(const SecretKey& key, std::string_view message) {
  const Pkey seed = seed_of(key);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        EVP_MD_CTX_free);
  std::string signature(64, '\0');
  std::size_t size = signature.size();
  if (!seed || !context ||
      EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, seed.get()) != 1 ||
      EVP_DigestSign(context.get(), data_of(signature), &size, data_of(message), message.size()) !=
          1) {
    return no_crypto("sign");
  }
  return signature;
}

// The public point that belongs to the key's seed; empty when there is none.
std::string point_of(const SecretKey& key) {
  const Pkey seed = seed_of(key);
  std::string point(32, '\0');
  std::size_t size = point.size();
  const bool made =
      seed != nullptr && EVP_PKEY_get_raw_public_key(seed.get(), data_of(point), &size) == 1;
  return made ? point : std::string();
}

bool is_whole(const SecretKey& key) { return point_of(key) == key.bytes.substr(32); }

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

SecretKey::~SecretKey() { OPENSSL_cleanse(bytes.data(), bytes.size()); }

Result<SecretKey> make_secret_key() {
  SecretKey key;
  key.id.resize(kId);
  key.bytes.resize(kKey);
  if (RAND_bytes(data_of(key.id), kId) != 1 || RAND_priv_bytes(data_of(key.bytes), 32) != 1) {
    return no_crypto("make random numbers");
  }
  const std::string point = point_of(key);
  if (point.empty()) return no_crypto("make a key");
  key.bytes.replace(32, 32, point);
  return key;
}

Result<std::string> secret_key_file(const SecretKey& key, std::string_view password,
                                    PasswordCost cost) {
  std::string salt(kSalt, '\0');
  std::string sealed = key.id + key.bytes + sum_of(key.id, key.bytes);
  if (password.empty()) {
    cost = {0, 0};
  } else {
    if (RAND_bytes(data_of(salt), kSalt) != 1) return no_crypto("make random numbers");
    if (Status done = cross(sealed, password, salt, cost); !done) return done;
  }
  const std::string derivation = password.empty() ? std::string(2, '\0') : "Sc";
  std::string text =
      std::string(kComment) + "minisign " + (password.empty() ? "" : "encrypted ") + "secret key\n";
  append_base64(text, "Ed" + derivation + "B2" + salt + little_endian(cost.operations) +
                          little_endian(cost.memory) + sealed);
  OPENSSL_cleanse(sealed.data(), sealed.size());
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
    OPENSSL_cleanse(password.data(), password.size());
    if (!done) return done;
  }
  SecretKey key;
  key.id = sealed.substr(0, kId);
  key.bytes = sealed.substr(kId, kKey);
  const std::string sum = sealed.substr(kId + kKey);
  // minisign leaves the check sum of a key without password empty.
  const bool fits = sum == sum_of(key.id, key.bytes) ||
                    (plain && sum == std::string(kSum, '\0') && is_whole(key));
  OPENSSL_cleanse(sealed.data(), sealed.size());
  OPENSSL_cleanse(body->data(), body->size());
  if (fits) return key;
  return plain ? Status::invalid("the secret key file is damaged: its check sum does not fit")
               : Status::denied("wrong password for the secret key");
}

Result<std::string> sign(const SecretKey& key, std::string_view bytes, std::string_view comment) {
  if (comment.find_first_of("\r\n") != std::string_view::npos) {
    return Status::invalid("the trusted comment is one line");
  }
  const auto signature = signature_of(key, prehash(bytes));
  if (!signature) return signature.status();
  const auto global = signature_of(key, *signature + std::string(comment));
  if (!global) return global.status();
  std::string text = std::string(kComment) + "signature from gantry, key " + id_text(key.id) + "\n";
  append_base64(text, "ED" + key.id + *signature);
  text += "\ntrusted comment: " + std::string(comment) + "\n";
  append_base64(text, *global);
  return text + "\n";
}

}  // namespace gantry::host::trust
