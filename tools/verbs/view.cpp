// SPDX-License-Identifier: GPL-3.0-or-later
// espalier view: an asset as one page for a browser, with everything in it.
#include <array>
#include <cmath>
#include <cstring>
#include <span>

#include "builder/asset/asset_body.h"
#include "builder/asset/atomic_file.h"
#include "builder/asset/describe.h"
#include "builder/asset/touching_pairs.h"
#include "builder/asset/volumes.h"
#include "builder/body/joint_names.h"
#include "tools/io/asset_file.h"
#include "tools/io/failure.h"
#include "tools/io/standard_streams.h"
#include "tools/report/dump_report.h"
#include "tools/report/view_page.h"
#include "tools/verbs/verbs.h"

namespace espalier::tools {
namespace {

/// Volumes of one tree in a page: more make it slow to turn.
constexpr std::size_t kMostVolumes = 200'000;

CommandLine syntax() {
    CommandLine line(
        "view FILE -o PAGE.html",
        "Writes a page that shows the triangles of an asset and the volumes of its hierarchies, level by\n"
        "level; its parts, to find, show and hide, those that touch at rest in red; and a slider for each\n"
        "joint. The page needs a browser with WebGL 2 and nothing else: no server, no network.\n",
        "  espalier view torus.espl -o torus.html\n");
    line.value("output,o", "PAGE.html", "the page");
    line.arguments(1, 1, "one FILE");
    return line;
}

/// RFC 4648, section 4.
std::string base64(std::span<const std::uint8_t> bytes) {
    constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0u);
        for (std::size_t k = 0; k < 4; ++k) text += k <= count ? kDigits[group >> (18 - 6 * k) & 63u] : '=';
    }
    return text;
}

template <class Element>
std::string base64_of(const Element* data, std::size_t count) {
    return base64({reinterpret_cast<const std::uint8_t*>(data), count * sizeof(Element)});
}

/// Boxes as six floats, spheres as four: centre and radius.
std::string volumes_text(const VolumeList& list) {
    std::vector<std::array<float, 4>> spheres;
    for (const DecodedSphere& s : list.spheres)
        spheres.push_back({s.center[0], s.center[1], s.center[2], s.radius});
    return spheres.empty() ? base64_of(list.boxes.data(), list.boxes.size())
                           : base64_of(spheres.data(), spheres.size());
}

Json level_json(const VolumeLevel& level) {
    return {{"inner", volumes_text(level.inner)}, {"leaves", volumes_text(level.leaves)}};
}

Json shape_json(const ShapeView& shape) {
    std::vector<std::uint32_t> indices;
    indices.reserve(std::size_t{3} * shape.mesh.triangle_count);
    for (std::uint32_t t = 0; t < shape.mesh.triangle_count; ++t)
        for (std::uint32_t corner = 0; corner < 3; ++corner) indices.push_back(shape.mesh.index(t, corner));
    Json json = {{"name", shape.name},
                 {"origin", shape.origin},
                 {"lo", shape.lo},
                 {"hi", shape.hi},
                 {"positions", base64_of(shape.mesh.positions, std::size_t{3} * shape.mesh.vertex_count)},
                 {"indices", base64_of(indices.data(), indices.size())}};
    json["trees"] = Json::array();
    for (const TreeVolumes& tree : decode_volumes(shape, kMostVolumes)) {
        Json levels = Json::array();
        for (const VolumeLevel& level : tree.levels) levels.push_back(level_json(level));
        json["trees"].push_back({{"name", tree.hierarchy->name},
                                 {"shape", tree.hierarchy->shape == VolumeShape::kSpheres ? "sphere" : "box"},
                                 {"levels", levels},
                                 {"omitted_levels", tree.omitted_levels}});
    }
    return json;
}

/// A part as forward kinematics needs it; no limit and no part are null.
Json part_json(const PartDescription& part) {
    const PartNode& node = part.node;
    const auto index = [](std::uint32_t i) { return i == kNoIndex ? Json() : Json(i); };
    const auto limit = [](double x) { return std::isfinite(x) ? Json(x) : Json(); };
    return {{"name", part.name},
            {"shape", index(node.shape)},
            {"parent", index(node.parent)},
            {"rotation", node.rotation},
            {"translation", node.translation},
            {"joint", name_of(node.joint)},
            {"joint_name", part.joint_name},
            {"axis", node.axis},
            {"lower", limit(node.lower)},
            {"upper", limit(node.upper)},
            {"mimic", index(node.mimic)},
            {"multiplier", node.multiplier},
            {"offset", node.offset}};
}

/// Pairs of parts that touch with every joint at rest; null if that is not known.
Json touching_json(const AssetFile& file) {
    const Asset& asset = file.opened().asset;
    if (asset.part_count() > kMaxBodyParts) return Json();
    AssetBody body = value_or_fail(file.path(), AssetBody::make(asset));
    std::vector<double> values(configuration_size(asset));
    const auto count = static_cast<std::uint32_t>(values.size());
    const bool placed =
        rest_configuration(asset, values.data(), count) == Status::kOk && body.place(values) == Status::kOk;
    const auto pairs = placed ? touching_pairs(body.body()) : std::nullopt;
    return pairs ? Json(*pairs) : Json();
}

/// JSON that can stand inside a script element: no "</script>" or "<!--" in it.
std::string script_text(const Json& json) {
    std::string text;
    for (const char c : json.dump(-1, ' ', true, Json::error_handler_t::replace))
        text += c == '<' ? std::string("\\u003c") : std::string(1, c);
    return text;
}

std::string page_of(const std::string& file) {
    const AssetFile asset(file);
    const AssetDescription description = value_or_fail(file, describe_asset(asset.opened()));
    Json data = {{"title", file}, {"dump", dump_text(file, description)}};
    data["shapes"] = Json::array();
    for (const ShapeView& shape : asset.opened().shapes) data["shapes"].push_back(shape_json(shape));
    data["parts"] = Json::array();
    for (const PartDescription& part : description.parts) data["parts"].push_back(part_json(part));
    data["touching"] = touching_json(asset);
    std::string page = kViewPage;
    page.replace(page.find(kViewPageData), std::strlen(kViewPageData), script_text(data));
    return page;
}

}  // namespace

int run_view(const Arguments& words) {
    const std::optional<Parsed> parsed = syntax().parse(words);
    if (!parsed) return 0;
    const std::optional<std::string> named = parsed->text("output");
    if (!named) fail_usage("-o PAGE.html is missing");
    const std::string& output = *named;
    if (output != "-") value_or_fail(output, check_writable(output));
    const std::string page = page_of(parsed->arguments()[0]);
    if (output == "-") {
        print(page);
        return 0;
    }
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(page.data()), page.size());
    value_or_fail(output, write_file_atomically(output, bytes));
    return 0;
}

}  // namespace espalier::tools
