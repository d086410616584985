// SPDX-License-Identifier: GPL-3.0-or-later
// OBJ, OFF, STL and PLY by CGAL's polygon-soup readers.
#include <CGAL/IO/OBJ.h>
#include <CGAL/IO/OFF.h>
#include <CGAL/IO/PLY.h>
#include <CGAL/IO/STL.h>
#include <CGAL/Simple_cartesian.h>

#include <boost/container/small_vector.hpp>
#include <cmath>
#include <istream>
#include <limits>
#include <new>
#include <streambuf>

#include "builder/import/import_formats.h"
#include "builder/import/text_scan.h"

namespace espalier::import_formats {
namespace {

using Points = std::vector<CGAL::Simple_cartesian<double>::Point_3>;
// Most polygons are triangles or quadrangles; those need no allocation of their own.
using Polygons = std::vector<boost::container::small_vector<std::uint32_t, 4>>;

// A stream over bytes that are already in memory, without copying them.
class MemoryBuffer : public std::streambuf {
  public:
    explicit MemoryBuffer(std::string& bytes) {
        setg(bytes.data(), bytes.data(), bytes.data() + bytes.size());
    }

  protected:
    pos_type seekoff(off_type offset, std::ios_base::seekdir direction, std::ios_base::openmode) override {
        char* const base = direction == std::ios_base::beg   ? eback()
                           : direction == std::ios_base::cur ? gptr()
                                                             : egptr();
        if (offset < eback() - base || offset > egptr() - base) return pos_type(off_type(-1));
        setg(eback(), base + offset, egptr());
        return pos_type(gptr() - eback());
    }
    pos_type seekpos(pos_type position, std::ios_base::openmode mode) override {
        return seekoff(off_type(position), std::ios_base::beg, mode);
    }
};

template <class Reader>
Result<PolygonSoup> read(CheckedInput input, Reader reader) {
    Points points;
    Polygons polygons;
    bool complete = false;
    try {
        MemoryBuffer buffer(input.bytes);
        std::istream stream(&buffer);
        complete = reader(stream, points, polygons);
    } catch (const std::bad_alloc&) {
        return Error{ErrorKind::kUnsupported, "not enough memory to read the file"};
    } catch (const std::exception& exception) {
        return Error{ErrorKind::kInvalidInput, std::string("the reader failed: ") + exception.what()};
    }
    // The readers report success after having stopped early, and failure for files without a face.
    const bool counts_agree =
        polygons.size() == input.polygons && (input.vertices == 0 || points.size() == input.vertices);
    if (!counts_agree || (!complete && !polygons.empty()))
        return Error{ErrorKind::kInvalidInput, "the reader stopped after " + std::to_string(points.size()) +
                                                   " vertices and " + std::to_string(polygons.size()) +
                                                   " of " + std::to_string(input.polygons) + " faces"};

    PolygonSoup soup;
    soup.points.reserve(points.size());
    for (const auto& point : points) {
        soup.points.emplace_back(point.x(), point.y(), point.z());
        for (double& coordinate : soup.points.back())
            if (std::abs(coordinate) >= text_scan::kNotFiniteValue)
                coordinate = std::numeric_limits<double>::infinity();
    }
    soup.first_corner.reserve(polygons.size() + 1);
    soup.corners.reserve(3 * polygons.size());
    for (const auto& polygon : polygons) soup.add_polygon(polygon);
    soup.findings = std::move(input.findings);
    return soup;
}

const auto kQuiet = [] { return CGAL::parameters::verbose(false); };

}  // namespace

Result<PolygonSoup> read_obj(CheckedInput input) {
    return read(std::move(input), [](std::istream& stream, Points& points, Polygons& polygons) {
        return CGAL::IO::read_OBJ(stream, points, polygons, kQuiet());
    });
}

Result<PolygonSoup> read_off(CheckedInput input) {
    return read(std::move(input), [](std::istream& stream, Points& points, Polygons& polygons) {
        return CGAL::IO::read_OFF(stream, points, polygons, kQuiet());
    });
}

Result<PolygonSoup> read_stl(CheckedInput input) {
    return read(std::move(input), [](std::istream& stream, Points& points, Polygons& polygons) {
        return CGAL::IO::read_STL(stream, points, polygons, kQuiet());
    });
}

Result<PolygonSoup> read_ply(CheckedInput input) {
    return read(std::move(input), [](std::istream& stream, Points& points, Polygons& polygons) {
        return CGAL::IO::read_PLY(stream, points, polygons, kQuiet());
    });
}

}  // namespace espalier::import_formats
