// SPDX-License-Identifier: GPL-3.0-or-later
// Assets on disk, for the verbs that read them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "builder/asset/open_asset.h"
#include "espalier/asset.h"
#include "espalier/map_file.h"

namespace espalier::tools {

/// A mapped file. Throws Failure (kInputOutput) when it cannot be read, (kInvalidInput) when it is empty.
class MappedBytes {
  public:
    explicit MappedBytes(const std::string& path);

    std::span<const std::uint8_t> bytes() const {
        return {static_cast<const std::uint8_t*>(file_.data()), file_.size()};
    }

  private:
    MappedFile file_;
};

/// What the message about a file that is refused says.
enum class Refusal {
    kReason,  ///< what is wrong
    kAdvice,  ///< and what to do
};

/// A mapped and fully verified asset with its parts. Throws Failure: as MappedBytes, and kInvalidInput or
/// kUnsupported when the file is no sound asset of this format version.
class AssetFile {
  public:
    explicit AssetFile(const std::string& path, Refusal refusal = Refusal::kAdvice);

    const std::string& path() const { return path_; }
    const OpenedAsset& opened() const { return opened_; }
    const std::vector<ShapeView>& parts() const { return opened_.parts; }
    std::uint64_t triangle_count() const;

  private:
    std::string path_;
    MappedBytes bytes_;
    OpenedAsset opened_;
};

}  // namespace espalier::tools
