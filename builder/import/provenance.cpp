// SPDX-License-Identifier: GPL-3.0-or-later
// SHA-256 of the source file, by OpenSSL.
#include "builder/import/provenance.h"

#include <openssl/evp.h>

namespace espalier {

Result<std::array<std::uint8_t, 32>> sha256(std::string_view bytes) {
    std::array<std::uint8_t, 32> digest{};
    unsigned int length = 0;
    const int done = EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
    if (done != 1 || length != digest.size())
        return Error{ErrorKind::kInternal, "OpenSSL cannot compute SHA-256"};
    return digest;
}

Result<Provenance> make_provenance(const std::filesystem::path& path, std::string_view bytes) {
    auto digest = sha256(bytes);
    if (!digest) return digest.error();
    return Provenance{path.filename().string(), digest.value(), bytes.size()};
}

std::string to_hex(const std::array<std::uint8_t, 32>& digest) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    text.reserve(2 * digest.size());
    for (const std::uint8_t byte : digest) {
        text += kDigits[byte >> 4];
        text += kDigits[byte & 15];
    }
    return text;
}

}  // namespace espalier
