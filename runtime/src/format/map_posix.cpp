// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "espalier/map_file.h"

namespace espalier {

Status MappedFile::map(const char* path) {
    close();
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return Status::kInputOutput;
    struct stat info;
    Status status = Status::kInputOutput;
    if (::fstat(file, &info) == 0 && S_ISREG(info.st_mode)) {
        status = Status::kTruncated;
        if (info.st_size > 0) {
            void* data =
                ::mmap(nullptr, static_cast<std::size_t>(info.st_size), PROT_READ, MAP_PRIVATE, file, 0);
            status = data == MAP_FAILED ? Status::kInputOutput : Status::kOk;
            if (status == Status::kOk) {
                data_ = data;
                size_ = static_cast<std::size_t>(info.st_size);
            }
        }
    }
    ::close(file);
    return status;
}

void MappedFile::close() {
    if (data_) ::munmap(data_, size_);
    data_ = nullptr;
    size_ = 0;
}

}  // namespace espalier
