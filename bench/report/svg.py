# SPDX-License-Identifier: GPL-3.0-or-later
"""Small charts as SVG: lines on logarithmic axes, and dots by category. Readable on light and dark pages."""
import csv
import html
import math

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 80, 200, 44, 56
# Distinguishable for the colour-blind (Okabe and Ito 2008), dark enough for white and light enough for black.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7f7f7f", "#8c564b"]
STYLE = """<style>
.page{fill:#ffffff}.text{fill:#24292f;font:13px sans-serif}.title{font-size:15px;font-weight:bold}
.grid{stroke:#d0d7de;stroke-width:1}.axis{stroke:#57606a;stroke-width:1;fill:none}
@media (prefers-color-scheme: dark){.page{fill:#0d1117}.text{fill:#e6edf3}.grid{stroke:#30363d}.axis{stroke:#8b949e}}
</style>"""


def write_csv(path, header, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def text(x, y, words, anchor="start", extra=""):
    return f'<text class="text {extra}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(words)}</text>'


def label(value):
    """1000 -> 1k, 0.1 -> 0.1."""
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"


class Axis:
    """Maps values to pixels, logarithmically or not."""

    def __init__(self, values, start, end, log):
        self.log, self.start, self.end = log, start, end
        low, high = min(values), max(values)
        if log:
            low, high = math.floor(math.log10(low) * 2) / 2, math.ceil(math.log10(high) * 2) / 2
        if high <= low:
            high = low + 1
        self.low, self.high = low, high

    def __call__(self, value):
        position = math.log10(value) if self.log else value
        return self.start + (position - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self):
        if not self.log:
            step = 10 ** math.floor(math.log10((self.high - self.low) or 1))
            step = next(s for s in (step / 5, step / 2, step, 2 * step) if (self.high - self.low) / s <= 9)
            first = math.ceil(self.low / step - 1e-9)
            return [round((first + i) * step, 10) for i in range(int((self.high - self.low) / step + 1e-9) + 1)]
        exponents = range(math.floor(self.low), math.ceil(self.high) + 1)
        factors = (1,) if self.high - self.low > 4 else (1, 2, 5)
        values = [f * 10.0**e for e in exponents for f in factors]
        return [v for v in values if self.low - 1e-9 <= math.log10(v) <= self.high + 1e-9]


def frame(title, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
            f'height="{HEIGHT}" role="img" aria-label="{html.escape(title)}">\n{STYLE}\n'
            f'<rect class="page" width="{WIDTH}" height="{HEIGHT}"/>\n'
            + text(LEFT, 24, title, extra="title") + "\n" + "\n".join(body) + "\n</svg>\n")


def grid(x, y, x_title, y_title, x_names=None):
    body = []
    for tick in y.ticks():
        body.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>')
        body.append(text(LEFT - 8, y(tick) + 4, label(tick), "end"))
    for tick in ([] if x_names else x.ticks()):
        body.append(f'<line class="grid" y1="{TOP}" y2="{HEIGHT - BOTTOM}" x1="{x(tick):.1f}" x2="{x(tick):.1f}"/>')
        body.append(text(x(tick), HEIGHT - BOTTOM + 18, label(tick), "middle"))
    body.append(f'<path class="axis" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>')
    body.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, x_title, "middle"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    body.append(f'<g transform="rotate(-90 20 {middle})">' + text(20, middle, y_title, "middle") + "</g>")
    return body


def legend(names):
    body = []
    for i, name in enumerate(names):
        colour, y = COLOURS[i % len(COLOURS)], TOP + 10 + 20 * i
        body.append(f'<circle cx="{WIDTH - RIGHT + 18}" cy="{y}" r="5" fill="{colour}"/>')
        body.append(text(WIDTH - RIGHT + 30, y + 4, name))
    return body


def line_chart(path, title, x_title, y_title, series, log_x=True):
    """series: {name: [(x, y)]}; writes path.svg and path.csv. Nothing is written without points."""
    series = {name: sorted(points) for name, points in series.items() if points}
    if not series:
        return False
    every = [p for points in series.values() for p in points]
    x = Axis([p[0] for p in every], LEFT + 10, WIDTH - RIGHT - 10, log_x)
    y = Axis([p[1] for p in every], HEIGHT - BOTTOM, TOP, True)
    body = grid(x, y, x_title, y_title)
    for i, points in enumerate(series.values()):
        colour = COLOURS[i % len(COLOURS)]
        corners = " ".join(f"{x(px):.1f},{y(py):.1f}" for px, py in points)
        body.append(f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="2"/>')
        body += [f'<circle cx="{x(px):.1f}" cy="{y(py):.1f}" r="3.5" fill="{colour}"/>' for px, py in points]
    body += legend(series)
    write_csv(f"{path}.csv", ["series", x_title, y_title],
              [[name, px, f"{py:.6g}"] for name, points in series.items() for px, py in points])
    with open(f"{path}.svg", "w") as file:
        file.write(frame(title, body))
    return True


def dot_chart(path, title, x_title, series):
    """Dots on a logarithmic x axis, one row a category. series: {name: {category: value}}."""
    categories = list(dict.fromkeys(c for points in series.values() for c in points))
    values = [v for points in series.values() for v in points.values()]
    if not values:
        return False
    left = 150
    x = Axis(values + [1], left + 10, WIDTH - RIGHT - 10, True)
    step = (HEIGHT - TOP - BOTTOM) / len(categories)
    body = []
    for tick in x.ticks():
        body.append(f'<line class="grid" y1="{TOP}" y2="{HEIGHT - BOTTOM}" x1="{x(tick):.1f}" x2="{x(tick):.1f}"/>')
        body.append(text(x(tick), HEIGHT - BOTTOM + 18, label(tick), "middle"))
    body.append(f'<path class="axis" d="M{x(1):.1f} {TOP}V{HEIGHT - BOTTOM}"/>')
    for row, category in enumerate(categories):
        y = TOP + (row + 0.5) * step
        body.append(f'<line class="grid" x1="{left}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        body.append(text(left - 8, y + 4, category, "end"))
        for i, points in enumerate(series.values()):
            if category in points:
                body.append(f'<circle cx="{x(points[category]):.1f}" cy="{y:.1f}" r="6" '
                            f'fill="{COLOURS[i % len(COLOURS)]}"/>')
    body.append(text((left + WIDTH - RIGHT) / 2, HEIGHT - 14, x_title, "middle"))
    body += legend(series)
    write_csv(f"{path}.csv", ["series", "category", x_title],
              [[name, c, f"{v:.6g}"] for name, points in series.items() for c, v in points.items()])
    with open(f"{path}.svg", "w") as file:
        file.write(frame(title, body))
    return True
