"""A bar chart of ratios as SVG, without a library."""

from xml.sax.saxutils import escape

_COLORS = ("#1b6ca8", "#e08e2b", "#6a8d3f")
_LEFT, _WIDTH, _BAR, _GAP, _TOP = 210, 520, 11, 9, 46


def svg(series, rows):
    """`rows`: (label, a ratio or None for each of `series`); a line marks 1."""
    largest = max([v for _, values in rows for v in values if v] + [2.0])
    top = int(largest * 4 + 1) / 4
    scale = _WIDTH / top
    step = len(series) * _BAR + _GAP
    height = _TOP + len(rows) * step + 34
    width = _LEFT + _WIDTH + 60
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    x = _LEFT
    for i, name in enumerate(series):
        parts.append(f'<rect x="{x}" y="12" width="12" height="12" '
                     f'fill="{_COLORS[i % len(_COLORS)]}"/>'
                     f'<text x="{x + 17}" y="22">{escape(name)}</text>')
        x += 40 + 7 * len(name)
    bottom = _TOP + len(rows) * step
    for tick in range(int(top * 4) + 1):
        at = _LEFT + tick / 4 * scale
        dark = tick == 4
        parts.append(f'<line x1="{at:.1f}" y1="{_TOP - 6}" x2="{at:.1f}" y2="{bottom}" '
                     f'stroke="{"#333" if dark else "#ddd"}"/>'
                     f'<text x="{at:.1f}" y="{bottom + 16}" text-anchor="middle">'
                     f'{tick / 4:.2f}</text>')
    for i, (label, values) in enumerate(rows):
        y = _TOP + i * step
        parts.append(f'<text x="{_LEFT - 8}" y="{y + len(series) * _BAR / 2 + 4:.1f}" '
                     f'text-anchor="end">{escape(label)}</text>')
        for j, value in enumerate(values):
            if not value:
                continue
            parts.append(f'<rect x="{_LEFT}" y="{y + j * _BAR}" '
                         f'width="{value * scale:.1f}" height="{_BAR - 1}" '
                         f'fill="{_COLORS[j % len(_COLORS)]}"/>'
                         f'<text x="{_LEFT + value * scale + 4:.1f}" '
                         f'y="{y + j * _BAR + _BAR - 2}" font-size="9">{value:.2f}</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"
