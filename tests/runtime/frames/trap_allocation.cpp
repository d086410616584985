// SPDX-License-Identifier: GPL-3.0-or-later
// The linker sends this program's calls of the C allocator here (--wrap); operator new is replaced as the
// language allows.
#include "tests/runtime/frames/trap_allocation.h"

#include <cstdio>
#include <cstdlib>
#include <new>

extern "C" {
void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* memory, std::size_t size);
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
int __real_posix_memalign(void** memory, std::size_t alignment, std::size_t size);
}

namespace {

bool trap_set = false;

void check(const char* function) {
    if (!trap_set) return;
    trap_set = false;
    std::fprintf(stderr, "%s was called where nothing may allocate\n", function);
    std::abort();
}

void* allocate(std::size_t size) {
    check("operator new");
    void* memory = __real_malloc(size ? size : 1);
    if (!memory) std::abort();
    return memory;
}

void* allocate(std::size_t size, std::align_val_t alignment) {
    check("operator new");
    const std::size_t a = static_cast<std::size_t>(alignment);
    void* memory = __real_aligned_alloc(a, (size + a - 1) / a * a);
    if (!memory) std::abort();
    return memory;
}

}  // namespace

extern "C" {
void* __wrap_malloc(std::size_t size) {
    check("malloc");
    return __real_malloc(size);
}
void* __wrap_calloc(std::size_t count, std::size_t size) {
    check("calloc");
    return __real_calloc(count, size);
}
void* __wrap_realloc(void* memory, std::size_t size) {
    check("realloc");
    return __real_realloc(memory, size);
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
    check("aligned_alloc");
    return __real_aligned_alloc(alignment, size);
}
int __wrap_posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
    check("posix_memalign");
    return __real_posix_memalign(memory, alignment, size);
}
}

void* operator new(std::size_t size) {
    return allocate(size);
}
void* operator new[](std::size_t size) {
    return allocate(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return allocate(size, alignment);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace espalier::testing {

AllocationTrap::AllocationTrap() {
    trap_set = true;
}
AllocationTrap::~AllocationTrap() {
    trap_set = false;
}

}  // namespace espalier::testing
