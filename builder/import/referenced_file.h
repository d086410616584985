// SPDX-License-Identifier: GPL-3.0-or-later
// Which files a mesh file may make us read. Its bytes can come from anyone, and what it refers to ends up in
// the asset: without a rule, a mesh could carry off any file of whoever bakes it. Every format that refers to
// files resolves its references here; not for use outside builder/import.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "builder/base/result.h"
#include "builder/import/source_hash.h"

namespace espalier::import_formats {

/// Where references of a mesh file may lead.
struct ReferenceScope {
    /// The mesh file by the name that the user gave. Its folder is the one in that name: where this is a link
    /// to a file elsewhere, references are looked for beside the link, and the target's folder stays closed.
    std::filesystem::path file;
    /// Further folders. One that does not exist allows nothing.
    std::vector<std::filesystem::path> allowed_folders;
};

/// The file that `reference`, a relative or absolute path in which %XX stands for a byte, means in
/// `scope.file`: its name without links, which is in or below the folder of `scope.file` or an allowed one.
/// It need not exist. `what` names the reference in messages ("buffer 0").
///
/// Fails with
///  - kUnsupported: the target lies elsewhere, or the decoded name has a NUL byte or a backslash (a separator
///    on some systems and a letter on others);
///  - kInputOutput: the links cannot be resolved.
/// Links that others change between this answer and the reading are beyond it.
Result<std::filesystem::path> resolve_reference(const ReferenceScope& scope, std::string_view reference,
                                                const std::string& what);

/// Reads the files that a mesh file refers to, and takes note of them: what is baked depends on their bytes
/// as on the mesh file's own.
class ReferencedFiles {
  public:
    /// `hash` must outlive this.
    ReferencedFiles(ReferenceScope scope, SourceHash& hash) : scope_(std::move(scope)), hash_(hash) {}

    /// The bytes of the file that `reference` means; they are added to the hash. Fails as resolve_reference,
    /// and with kInputOutput where the file cannot be read.
    Result<std::string> read(std::string_view reference, const std::string& what);

  private:
    ReferenceScope scope_;
    SourceHash& hash_;
};

}  // namespace espalier::import_formats
