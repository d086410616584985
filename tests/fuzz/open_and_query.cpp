// SPDX-License-Identifier: GPL-3.0-or-later
// libFuzzer target: any bytes, their checksum made right, opened with full verification; what is accepted is
// queried in every way. Built by clang with AddressSanitizer, without the builder.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "runtime/src/format/checksum.h"
#include "runtime/src/format/flatbuffer_reader.h"
#include "tests/support/exercise.h"

namespace {

/// The same bytes on the heap, without slack, so that the sanitizer sees the first byte beyond.
struct Copy {
    static constexpr std::align_val_t kAlignment{64};
    Copy(const std::uint8_t* bytes, std::size_t size)
        : data(static_cast<std::uint8_t*>(::operator new(size, kAlignment))) {
        std::memcpy(data, bytes, size);
    }
    ~Copy() { ::operator delete(data, kAlignment); }
    Copy(const Copy&) = delete;
    Copy& operator=(const Copy&) = delete;
    std::uint8_t* data;
};

/// Size and checksum are never guessed by a fuzzer; with the right ones it gets to the interesting places.
void seal(std::uint8_t* data, std::uint32_t size) {
    using namespace espalier;
    const Buffer buffer{data, size};
    if (!buffer.holds(0, 8, 4)) return;
    const std::uint32_t header =
        Table(buffer, buffer.read<std::uint32_t>(0)).field(field::kHeader, kHeaderBytes, 8);
    if (!header) return;
    const std::uint64_t whole = size;
    std::memcpy(data + header + 8, &whole, sizeof(whole));
    const std::uint64_t sum = checksum(data, size, header + kChecksumOffset);
    std::memcpy(data + header + kChecksumOffset, &sum, sizeof(sum));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0 || size > 1u << 16) return 0;
    Copy copy(bytes, size);
    seal(copy.data, static_cast<std::uint32_t>(size));
    espalier::Asset asset;
    if (espalier::open(copy.data, size, espalier::Verify::kFull, &asset) != espalier::Status::kOk) return 0;
    static espalier::testing::Exercise exercise;
    if (!exercise.run(asset, static_cast<unsigned>(bytes[size - 1]))) std::abort();
    return 0;
}
