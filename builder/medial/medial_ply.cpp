// SPDX-License-Identifier: GPL-3.0-or-later
// The medial set as a PLY file.
#include "builder/medial/medial_ply.h"

#include <array>
#include <charconv>

namespace espalier {
namespace {

template <class Number>
void append(std::string& text, Number value, char after) {
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    text.append(buffer.data(), end);
    text.push_back(after);
}

}  // namespace

std::string medial_ply(const MedialSet& set) {
    std::string text = "ply\nformat ascii 1.0\nelement vertex ";
    append(text, set.balls.size(), '\n');
    text += "property double x\nproperty double y\nproperty double z\nproperty double radius\nelement edge ";
    append(text, set.adjacent.size(), '\n');
    text += "property uint vertex1\nproperty uint vertex2\nend_header\n";
    for (const MedialBall& ball : set.balls) {
        append(text, ball.center.x(), ' ');
        append(text, ball.center.y(), ' ');
        append(text, ball.center.z(), ' ');
        append(text, ball.radius, '\n');
    }
    for (const auto& [a, b] : set.adjacent) {
        append(text, a, ' ');
        append(text, b, '\n');
    }
    return text;
}

}  // namespace espalier
