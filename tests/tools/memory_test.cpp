// SPDX-License-Identifier: GPL-3.0-or-later
// Too little memory is said, with exit code 5: no signal, no blame on the mesh, and the old output stays.
#include <gtest/gtest.h>

#include <string>

#include "tests/tools/files.h"
#include "tests/tools/run_command.h"

namespace espalier::test {
namespace {

/// The loader's own, where not even the program's libraries have room.
constexpr int kNotLoaded = 127;

/// A square of n x n pairs of triangles, bent.
std::string waves_off(int n) {
    std::string text = "OFF\n" + std::to_string((n + 1) * (n + 1)) + " " + std::to_string(2 * n * n) + " 0\n";
    for (int y = 0; y <= n; ++y)
        for (int x = 0; x <= n; ++x)
            text += std::to_string(x) + " " + std::to_string(y) + " " + std::to_string((x * x + 3 * y) % 7) +
                    "\n";
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
            const int a = y * (n + 1) + x;
            const int c = a + n + 1;
            text += "3 " + std::to_string(a) + " " + std::to_string(a + 1) + " " + std::to_string(c) + "\n";
            text +=
                "3 " + std::to_string(a + 1) + " " + std::to_string(c + 1) + " " + std::to_string(c) + "\n";
        }
    return text;
}

TEST(LittleMemory, EndsWithExitCode5AndTheOldOutput) {
    TemporaryFolder folder;
    write_text(folder.path() / "waves.off", waves_off(40));
    const std::string output = folder / "soup.espl";
    int refused = 0;
    int baked = 0;
    // From less than the program itself to more than enough.
    for (std::uint64_t kilobytes = 24000; kilobytes <= 60000; kilobytes += 1500) {
        write_text(output, "old");
        Streams little;
        little.memory = kilobytes * 1024;
        const CommandResult result = espalier(
            {"bake", folder / "waves.off", "-o", output, "--trees", "aabb,box,cell", "--quiet"}, little);
        if (result.exit_code == 0) {
            ++baked;
            continue;
        }
        EXPECT_EQ(read_text(output), "old") << kilobytes;
        if (result.exit_code == kNotLoaded) continue;
        ++refused;
        EXPECT_EQ(result.exit_code, 5) << kilobytes << " kB: " << result.error;
        EXPECT_NE(result.error.find("not enough memory"), std::string::npos)
            << kilobytes << " kB: " << result.error;
    }
    EXPECT_GT(refused, 3);
    EXPECT_GT(baked, 3);
}

}  // namespace
}  // namespace espalier::test
