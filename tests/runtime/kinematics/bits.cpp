// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the poses of an asset's parts in some configurations, bit by bit; same_bits.py compiles it with the
// runtime in several ways and compares what they print.
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "espalier/kinematics.h"

namespace {

alignas(64) unsigned char bytes[1 << 16];
double values[256];
espalier::Pose poses[256];

/// Angles of every size, none of which a decimal reader could read in two ways.
double value(unsigned configuration, unsigned index) {
    const double sizes[] = {0.0625, 0.75, 1.5, 3.25, 100.5, 65537.125, 1e9, 0x1.8p60, 0x1.fp900};
    const unsigned mixed = (configuration * 7919u + index * 104729u) % 1009u;
    const double size = sizes[(configuration + index) % (configuration < 4 ? 4u : 9u)];
    return size * (static_cast<double>(mixed) - 504) / 512;
}

std::uint64_t bits(double x) {
    std::uint64_t result;
    std::memcpy(&result, &x, sizeof(result));
    return result;
}

void configure(const espalier::Asset& asset, unsigned configuration) {
    const double unit[4] = {0.5, -0.5, 0.7, 0.1};
    unsigned next = 0;
    for (std::uint32_t part = 0; part < asset.part_count(); ++part) {
        espalier::PartNode node;
        if (asset.part_node(part, &node) != espalier::Status::kOk) return;
        const bool angle =
            node.joint == espalier::Joint::kRevolute || node.joint == espalier::Joint::kContinuous;
        for (unsigned k = 0; k < node.value_count(); ++k, ++next) {
            // Large lengths would leave nothing of what was there before.
            values[next] = angle ? value(configuration, next) : value(configuration % 4, next);
            if (node.value_count() == 7 && k < 4) values[next] = unit[(k + configuration) % 4];
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::FILE* file = argc == 2 ? std::fopen(argv[1], "rb") : nullptr;
    if (!file) return 1;
    const std::size_t size = std::fread(bytes, 1, sizeof(bytes), file);
    std::fclose(file);
    espalier::Asset asset;
    if (espalier::open(bytes, size, espalier::Verify::kFull, &asset) != espalier::Status::kOk) return 2;
    espalier::Pose base;
    base.rotation[1] = 0.25;
    base.translation[2] = -1.7;
    for (unsigned configuration = 0; configuration < 12; ++configuration) {
        configure(asset, configuration);
        if (espalier::forward_kinematics(asset, base, values, espalier::configuration_size(asset), poses,
                                         asset.part_count()) != espalier::Status::kOk)
            return 3;
        for (std::uint32_t part = 0; part < asset.part_count(); ++part) {
            std::printf("%u %u", configuration, static_cast<unsigned>(part));
            for (const double x : poses[part].rotation) std::printf(" %016" PRIx64, bits(x));
            for (const double x : poses[part].translation) std::printf(" %016" PRIx64, bits(x));
            std::printf("\n");
        }
    }
    return 0;
}
