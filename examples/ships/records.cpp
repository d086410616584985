// SPDX-License-Identifier: MIT
#include "examples/ships/records.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>

namespace ships {
namespace {

/// Frames in which the governor has not seen enough yet.
constexpr std::size_t kWarmUp = 16;

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

bool finish(File* file) {
    const bool good = std::ferror(file->get()) == 0;
    return std::fclose(file->release()) == 0 && good;
}

double quantile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1,
                           static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) sum += v;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double share(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

struct Point {
    double x, y;
};

struct Panel {
    const char* name;
    double target;  // a line to compare with; 0: none
    std::vector<Point> points;
    bool joined;
};

constexpr double kWidth = 900, kPanel = 190, kLeft = 70, kRight = 20, kTop = 50, kGap = 40;

void write_panel(std::FILE* file, const Panel& panel, double top, double frames) {
    double high = panel.target * 1.2;
    for (const Point& p : panel.points) high = std::max(high, p.y);
    if (high <= 0) high = 1;
    const double bottom = top + kPanel - kGap;
    const auto x = [&](double frame) {
        return kLeft + frame / std::max(1.0, frames) * (kWidth - kLeft - kRight);
    };
    const auto y = [&](double value) { return bottom - value / high * (bottom - top); };
    for (int tick = 0; tick <= 4; ++tick) {
        const double value = high * tick / 4;
        std::fprintf(file, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n", kLeft,
                     kWidth - kRight, y(value), y(value));
        std::fprintf(file, "<text class=\"text\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n",
                     kLeft - 8, y(value) + 4, value);
    }
    std::fprintf(file, "<text class=\"text\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", kLeft, top - 6, panel.name);
    if (panel.target > 0)
        std::fprintf(file,
                     "<line stroke=\"#d55e00\" stroke-width=\"1.5\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" "
                     "y2=\"%.1f\"/>\n",
                     kLeft, kWidth - kRight, y(panel.target), y(panel.target));
    if (panel.joined) {
        std::fprintf(file, "<polyline fill=\"none\" stroke=\"#0072b2\" points=\"");
        for (const Point& p : panel.points) std::fprintf(file, "%.1f,%.1f ", x(p.x), y(p.y));
        std::fprintf(file, "\"/>\n");
    } else {
        for (const Point& p : panel.points)
            std::fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\" fill=\"#0072b2\"/>\n", x(p.x),
                         y(p.y));
    }
}

}  // namespace

Summary summarize(const Simulation& simulation, double target_ms) {
    Summary s;
    std::vector<double> frame_ms, detection_ms, cpu_ms, detection_cpu_ms, before_ms, least_ms, rest_ms;
    double levels = 0, bounds = 0, separations = 0, exact = 0, pairs = 0, tests = 0, kept = 0, cpu_kept = 0;
    const std::vector<FrameRecord>& frames = simulation.frames();
    const std::size_t skip = frames.size() > 2 * kWarmUp ? kWarmUp : 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const FrameRecord& f = frames[i];
        s.responses += f.responses;
        levels += f.level_sum;
        bounds += f.bound_sum;
        separations += f.separation_sum;
        s.measured += f.measured;
        s.bound_max = std::max(s.bound_max, f.bound_max);
        s.separation_max = std::max(s.separation_max, f.separation_max);
        s.missed = s.missed || f.missed;
        pairs += f.detection.pairs;
        tests += static_cast<double>(f.detection.node_tests);
        if (i < skip) continue;
        frame_ms.push_back(f.frame_ms);
        detection_ms.push_back(f.detection_ms);
        cpu_ms.push_back(f.cpu_ms);
        detection_cpu_ms.push_back(f.detection_cpu_ms);
        before_ms.push_back(f.before_ms);
        least_ms.push_back(f.least_ms);
        rest_ms.push_back(f.rest_ms);
        const bool late = f.frame_ms > 1.05 * target_ms;
        kept += late ? 0 : 1;
        cpu_kept += f.cpu_ms <= 1.05 * target_ms ? 1 : 0;
        if (f.cpu_ms > 1.05 * target_ms) {
            ++s.cpu_late;
            s.late_before += f.before_ms;
            s.late_least += f.least_ms;
            s.late_rest += f.rest_ms;
        }
        if (f.preempted > 0) {
            ++s.preempted;
            s.preempted_late += late ? 1 : 0;
        }
    }
    for (const ResponseRecord& r : simulation.responses()) exact += r.exact ? 1 : 0;
    s.frames = static_cast<std::uint32_t>(frames.size());
    s.frame_mean = mean(frame_ms);
    s.frame_p50 = quantile(frame_ms, 0.5);
    s.frame_p99 = quantile(frame_ms, 0.99);
    s.frame_max = quantile(frame_ms, 1);
    s.detection_mean = mean(detection_ms);
    s.detection_p50 = quantile(detection_ms, 0.5);
    s.detection_p99 = quantile(detection_ms, 0.99);
    s.detection_max = quantile(detection_ms, 1);
    s.kept = share(kept, static_cast<double>(frame_ms.size()));
    s.cpu_kept = share(cpu_kept, static_cast<double>(frame_ms.size()));
    s.cpu_p99 = quantile(cpu_ms, 0.99);
    s.detection_cpu_mean = mean(detection_cpu_ms);
    s.cpu_max = quantile(cpu_ms, 1);
    s.before_p50 = quantile(before_ms, 0.5);
    s.rest_p50 = quantile(rest_ms, 0.5);
    s.least_p50 = quantile(least_ms, 0.5);
    s.least_p99 = quantile(least_ms, 0.99);
    for (double* part : {&s.late_before, &s.late_least, &s.late_rest}) *part = share(*part, s.cpu_late);
    s.pairs_mean = share(pairs, static_cast<double>(frames.size()));
    s.node_tests_mean = share(tests, static_cast<double>(frames.size()));
    const double count = static_cast<double>(s.responses);
    s.exact_share = share(exact, static_cast<double>(simulation.responses().size()));
    s.level_mean = share(levels, count);
    s.bound_mean = share(bounds, count);
    s.separation_mean = share(separations, static_cast<double>(s.measured));
    return s;
}

bool write_frames(const std::string& path, const Simulation& simulation) {
    File file(std::fopen(path.c_str(), "w"));
    if (!file) return false;
    std::fprintf(
        file.get(),
        "frame,frame_ms,cpu_ms,preempted,before_ms,granted_ms,detection_ms,least_ms,rest_ms,slack_ms,near_"
        "pairs,"
        "examined,due,pairs,"
        "done,"
        "went_on,node_tests,slices,responses,level_mean,level_min,bound_mean,bound_max,separation_mean,"
        "separation_max\n");
    for (const FrameRecord& f : simulation.frames()) {
        const double n = f.responses;
        std::fprintf(file.get(),
                     "%u,%.4f,%.4f,%u,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%u,%u,%u,%u,%u,%u,%llu,%llu,%u,%.4g,%u,%."
                     "6g,%.6g,%.6g,%"
                     ".6g\n",
                     f.frame, f.frame_ms, f.cpu_ms, f.preempted, f.before_ms, f.granted_ms, f.detection_ms,
                     f.least_ms, f.rest_ms, f.slack_ms, f.near_pairs, f.examined, f.due, f.detection.pairs,
                     f.detection.done, f.detection.went_on,
                     static_cast<unsigned long long>(f.detection.node_tests),
                     static_cast<unsigned long long>(f.detection.slices), f.responses, share(f.level_sum, n),
                     f.level_min, share(f.bound_sum, n), f.bound_max, share(f.separation_sum, f.measured),
                     f.separation_max);
    }
    return finish(&file);
}

bool write_picture(const std::string& path, const std::string& title, const Simulation& simulation,
                   double target_ms) {
    File file(std::fopen(path.c_str(), "w"));
    if (!file) return false;
    Panel panels[3] = {{target_ms > 0 ? "frame time in milliseconds; line: target" : "node tests in a frame",
                        target_ms,
                        {},
                        true},
                       {"level at response (mean of a frame)", 0, {}, false},
                       {"separation at response (greatest of a frame), in bounding radii", 0, {}, false}};
    for (const FrameRecord& f : simulation.frames()) {
        panels[0].points.push_back(
            {double(f.frame), target_ms > 0 ? f.frame_ms : double(f.detection.node_tests)});
        if (f.responses > 0) panels[1].points.push_back({double(f.frame), f.level_sum / f.responses});
        if (f.measured > 0) panels[2].points.push_back({double(f.frame), f.separation_max});
    }
    const double height = kTop + 3 * kPanel + 10;
    std::fprintf(file.get(),
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
                 "aria-label=\"%s\">\n"
                 "<style>.page{fill:#fff}.text{fill:#24292f;font:13px sans-serif}.grid{stroke:#d0d7de}\n"
                 "@media (prefers-color-scheme: "
                 "dark){.page{fill:#0d1117}.text{fill:#e6edf3}.grid{stroke:#30363d}}</style>\n"
                 "<rect class=\"page\" width=\"%.0f\" height=\"%.0f\"/>\n<text class=\"text\" x=\"%.0f\" "
                 "y=\"22\">%s</text>\n",
                 kWidth, height, title.c_str(), kWidth, height, kLeft, title.c_str());
    for (int i = 0; i < 3; ++i)
        write_panel(file.get(), panels[i], kTop + i * kPanel,
                    static_cast<double>(simulation.frames().size()));
    std::fprintf(file.get(),
                 "<text class=\"text\" x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\">frame</text>\n</svg>\n",
                 kWidth - kRight, height - 24);
    return finish(&file);
}

}  // namespace ships
