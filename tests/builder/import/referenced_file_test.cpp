// SPDX-License-Identifier: GPL-3.0-or-later
// What a mesh file may refer to: files in and below its folder and the allowed ones, whatever the spelling.
#include "builder/import/referenced_file.h"

#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "builder/import/import.h"
#include "tests/builder/import/sample_files.h"
#include "tests/support/temporary_folder.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr auto kUnsupported = ErrorKind::kUnsupported;

/// in/ has the mesh, inner/ below it and inside.bin; beside it are secret.bin and in-too/; all .bin files
/// hold the buffer of a cube. Links: out.bin and door/ lead out, alias.bin and room/ stay in.
class References : public ::testing::Test {
  protected:
    void SetUp() override {
        for (const char* folder : {"in", "in/inner", "in-too"}) fs::create_directory(folder_.path() / folder);
        json_ = nlohmann::json::parse(sample_file("embedded.gltf"));
        const std::string& glb = sample_file("binary.glb");
        // The binary chunk is the last one, with the same layout as the embedded buffer.
        const auto length = json_["buffers"][0]["byteLength"].get<std::size_t>();
        const std::string_view buffer = std::string_view(glb).substr(glb.size() - (length + 3) / 4 * 4);
        for (const char* name : {"secret.bin", "in/inside.bin", "in/inner/deep.bin", "in-too/near.bin",
                                 "in/..dots.bin", "in/back\\slash.bin"})
            folder_.write(name, buffer);
        fs::create_symlink("../secret.bin", in_ / "out.bin");
        fs::create_directory_symlink("..", in_ / "door");
        fs::create_symlink("inner/deep.bin", in_ / "alias.bin");
        fs::create_directory_symlink("inner", in_ / "room");
    }

    std::string write_gltf(const std::string& uri) {
        json_["buffers"][0]["uri"] = uri;
        return folder_.write("in/a.gltf", json_.dump());
    }

    void expect_read(const std::string& uri, const std::vector<fs::path>& allowed = {}) {
        ImportOptions options;
        options.allowed_folders = allowed;
        const auto soup = import_mesh(write_gltf(uri), options);
        ASSERT_TRUE(soup.ok()) << uri << ": " << soup.error().message;
        EXPECT_EQ(soup.value().polygon_count(), 12u) << uri;
    }

    void expect_refused(const std::string& uri, const std::string& says = "outside of the folder",
                        const std::vector<fs::path>& allowed = {}) {
        ImportOptions options;
        options.allowed_folders = allowed;
        const auto soup = import_mesh(write_gltf(uri), options);
        ASSERT_FALSE(soup.ok()) << uri << " was read";
        const std::string& message = soup.error().message;
        EXPECT_EQ(static_cast<int>(soup.error().kind), static_cast<int>(kUnsupported)) << message;
        EXPECT_EQ(message.find("buffer 0 (\"" + uri.substr(0, 8)), 0u) << message;
        EXPECT_NE(message.find(says), std::string::npos) << message;
    }

    const testing::TemporaryFolder folder_;
    const fs::path in_ = folder_.path() / "in";
    nlohmann::json json_;
};

TEST_F(References, AFileInTheFolderIsRead) {
    for (const char* uri : {"inside.bin", "./inside.bin", "..dots.bin", "%69nside.bin", "../in/inside.bin"})
        expect_read(uri);
}

TEST_F(References, AFileBelowTheFolderIsRead) {
    for (const char* uri : {"inner/deep.bin", "inner%2Fdeep.bin", "inner/../inside.bin"}) expect_read(uri);
}

TEST_F(References, AnAbsoluteNameInTheFolderIsRead) {
    expect_read(in_ / "inside.bin");
}

TEST_F(References, LinksThatStayInTheFolderAreFollowed) {
    expect_read("alias.bin");
    expect_read("room/deep.bin");
}

TEST_F(References, DotsThatLeaveTheFolderAreRefused) {
    for (const char* uri : {"../secret.bin", "inner/../../secret.bin", "absent/../../secret.bin",
                            "./.././secret.bin", "..//secret.bin"})
        expect_refused(uri);
}

TEST_F(References, AnAbsoluteNameElsewhereIsRefused) {
    const std::string secret = folder_.path() / "secret.bin";
    expect_refused(secret);
    expect_refused("/" + secret);
}

TEST_F(References, EncodedDotsAndSlashesAreRefused) {
    for (const char* uri : {"%2e%2e/secret.bin", "%2E%2E%2Fsecret.bin", ".%2e/secret.bin", "%2fetc/passwd"})
        expect_refused(uri);
}

TEST_F(References, EncodingIsUndoneOnce) {
    const auto soup = import_mesh(write_gltf("%252e%252e/secret.bin"));
    ASSERT_FALSE(soup.ok());
    EXPECT_NE(soup.error().message.find("no such file"), std::string::npos) << soup.error().message;
}

TEST_F(References, BackslashesAreRefusedEvenWhereTheyArePartOfAName) {
    for (const char* uri : {"..%5csecret.bin", "back%5Cslash.bin", "back\\slash.bin"})
        expect_refused(uri, "backslash");
}

TEST_F(References, NulBytesAreRefused) {
    expect_refused("inside.bin%00.png", "NUL");
    json_["buffers"][0]["uri"] = std::string("inside.bin\0.png", 15);
    const auto soup = import_mesh(folder_.write("in/b.gltf", json_.dump()));
    ASSERT_FALSE(soup.ok());
    EXPECT_EQ(static_cast<int>(soup.error().kind), static_cast<int>(kUnsupported)) << soup.error().message;
}

TEST_F(References, LinksThatLeaveTheFolderAreRefused) {
    expect_refused("out.bin");
    expect_refused("door/secret.bin");
    expect_refused("door/in-too/near.bin");
}

TEST_F(References, AFolderWhoseNameOnlyStartsLikeTheFolderIsRefused) {
    expect_refused("../in-too/near.bin");
}

TEST_F(References, WhatIsOutsideIsRefusedWhetherItExistsOrNot) {
    expect_refused("../absent.bin");
}

TEST_F(References, AllowedFoldersAreReadAndNoOthers) {
    const fs::path too = folder_.path() / "in-too";
    expect_read("../in-too/near.bin", {too});
    expect_read("../in-too/near.bin", {"/nowhere/at/all", too / ""});
    expect_read("door/secret.bin", {folder_.path()});
    expect_read("out.bin", {in_ / "door"});
    expect_read("../secret.bin", {"/"});
    expect_refused("../secret.bin", "--allow-path", {too});
    expect_refused("../secret.bin", "--allow-path", {"/nowhere/at/all", ""});
}

TEST_F(References, OfALinkToAMeshAreLookedForBesideTheLink) {
    const fs::path mesh = write_gltf("inside.bin");
    fs::create_symlink(mesh, folder_.path() / "link.gltf");
    const auto absent = import_mesh(folder_.path() / "link.gltf");
    ASSERT_FALSE(absent.ok());
    EXPECT_EQ(static_cast<int>(absent.error().kind), static_cast<int>(ErrorKind::kInputOutput));
    write_gltf("secret.bin");
    EXPECT_TRUE(import_mesh(folder_.path() / "link.gltf").ok());
}

TEST_F(References, OfAMeshInALinkedFolderAreReadInItsTarget) {
    fs::create_directory_symlink("in", folder_.path() / "linked");
    write_gltf("inside.bin");
    EXPECT_TRUE(import_mesh(folder_.path() / "linked/a.gltf").ok());
    write_gltf("../secret.bin");
    EXPECT_FALSE(import_mesh(folder_.path() / "linked/a.gltf").ok());
}

TEST_F(References, OfAMeshWithoutAFolderInItsNameAreReadInTheCurrentOne) {
    const fs::path before = fs::current_path();
    fs::current_path(in_);
    const auto inside = import_formats::resolve_reference({"a.gltf", {}}, "inside.bin", "buffer 0");
    const auto outside = import_formats::resolve_reference({"a.gltf", {}}, "../secret.bin", "buffer 0");
    fs::current_path(before);
    ASSERT_TRUE(inside.ok());
    EXPECT_EQ(inside.value(), fs::canonical(in_ / "inside.bin"));
    EXPECT_FALSE(outside.ok());
}

/// Tells whether a file was opened since.
class Watch {
  public:
    explicit Watch(const fs::path& file) : queue_(inotify_init1(IN_NONBLOCK)) {
        if (inotify_add_watch(queue_, file.c_str(), IN_OPEN) < 0) throw std::runtime_error("inotify failed");
    }
    ~Watch() { close(queue_); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    bool opened() const {
        char event[4096];
        return read(queue_, event, sizeof event) > 0;
    }

  private:
    int queue_;
};

TEST(ReferencesOfOtherFormats, MaterialsOfAnObjFileAreNotOpened) {
    const testing::TemporaryFolder folder;
    const fs::path secret = folder.write("secret.mtl", "newmtl a\n");
    const Watch watch(secret);
    const auto soup = import_mesh(folder.write(
        "a.obj", "mtllib " + secret.string() + "\nusemtl a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
    EXPECT_TRUE(soup.ok());
    EXPECT_FALSE(watch.opened());
}

TEST(ReferencesOfOtherFormats, ImagesOfADaeFileAreNotOpened) {
    const testing::TemporaryFolder folder;
    const fs::path secret = folder.write("secret.png", "secret");
    std::string dae = sample_file("plain.dae");
    dae.insert(dae.find("<library_geometries"), "<library_images><image id=\"a\"><init_from>" +
                                                    secret.string() +
                                                    "</init_from></image></library_images>\n");
    const Watch watch(secret);
    const auto soup = import_mesh(folder.write("a.dae", dae));
    EXPECT_TRUE(soup.ok());
    EXPECT_FALSE(watch.opened());
}

}  // namespace
}  // namespace espalier
