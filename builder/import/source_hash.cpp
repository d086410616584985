// SPDX-License-Identifier: GPL-3.0-or-later
// By OpenSSL.
#include "builder/import/source_hash.h"

#include <openssl/evp.h>

namespace espalier::import_formats {

struct SourceHash::State {
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), EVP_MD_CTX_free};
    bool sound = context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
};

SourceHash::SourceHash() : state_(std::make_unique<State>()) {}
SourceHash::~SourceHash() = default;

void SourceHash::add(std::string_view bytes) {
    size_ += bytes.size();
    state_->sound = state_->sound && EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) == 1;
}

Result<std::array<std::uint8_t, 32>> SourceHash::digest() {
    std::array<std::uint8_t, 32> digest{};
    unsigned int length = 0;
    if (!state_->sound || EVP_DigestFinal_ex(state_->context.get(), digest.data(), &length) != 1 ||
        length != digest.size())
        return Error{ErrorKind::kInternal, "OpenSSL cannot compute SHA-256"};
    return digest;
}

}  // namespace espalier::import_formats
