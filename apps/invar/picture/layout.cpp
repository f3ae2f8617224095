#include "apps/invar/picture/layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace invar {
namespace {

constexpr double margin = 24, bar_thickness = 18;

/// An upper estimate of the width of a text: the width of letters is about half their height.
double text_width(const std::string& text, int font) { return 0.58 * font * static_cast<double>(text.size()); }

/// Margins around the domain.
struct Frame {
  double left, right, bottom, top;
};

double scale_of(std::array<double, 2> extent, std::array<int, 2> size, const Frame& f) {
  const double across = std::max(1.0, size[0] - f.left - f.right), up = std::max(1.0, size[1] - f.bottom - f.top);
  return std::min(across / extent[0], up / extent[1]);
}

}  // namespace

PictureLayout PictureLayout::fit(std::array<double, 2> extent, std::array<int, 2> size, const std::string& title,
                                 const std::string& bar_name, bool footnote) {
  // A side of no length (a domain seen from its edge) is drawn as a thin one.
  const double largest = std::max(extent[0], extent[1]);
  for (double& e : extent) e = std::max(e, 1e-3 * largest);
  PictureLayout l;
  const int text = l.text, heading = l.heading, small = l.small;
  const double above = title.empty() ? margin : 2.6 * heading, below = footnote ? 2.4 * small : margin;
  const double strip = std::max(5.0 * text, text_width(bar_name, text));
  const Frame beside{margin, 1.5 * margin + strip + 0.5 * margin, below, above};
  const Frame under{margin, margin, below + bar_thickness + 4.2 * text, above};
  l.bar_below = scale_of(extent, size, under) > scale_of(extent, size, beside);
  const Frame& f = l.bar_below ? under : beside;
  l.pixels_per_metre = scale_of(extent, size, f);
  const double across = extent[0] * l.pixels_per_metre, up = extent[1] * l.pixels_per_metre;
  const double least_width = std::max(text_width(title, heading) + 2 * margin, l.bar_below ? 420.0 : 0.0);
  const double least_height = l.bar_below ? 0.0 : 260.0;
  l.width = std::min<int>(size[0], std::ceil(std::max(f.left + across + f.right, least_width)));
  l.height = std::min<int>(size[1], std::ceil(std::max(f.bottom + up + f.top, least_height)));
  l.domain = {f.left + (l.width - f.left - f.right - across) / 2, f.bottom + (l.height - f.bottom - f.top - up) / 2,
              across, up};
  if (l.bar_below) {
    const double length = std::min(l.width - 4 * margin, std::max(380.0, 0.6 * l.width));
    l.bar = {(l.width - length) / 2, below + 1.7 * text, length, bar_thickness};
  } else {
    const double room = l.height - f.bottom - f.top - 2 * text, length = std::min(room, std::max(180.0, 0.8 * up));
    l.bar = {l.domain.left + across + 1.5 * margin, f.bottom + (room - length) / 2, bar_thickness, length};
  }
  return l;
}

BarScale BarScale::of(double low, double high) {
  const double span = high - low, largest = std::max(std::abs(low), std::abs(high));
  BarScale scale;
  if (!(span > 1e-12 * largest)) return {{{low, label_number(low, 6)}}, 0};
  double step = std::pow(10.0, std::floor(std::log10(span / 6)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0, 10.0})
    if (span / (factor * step) <= 6) {
      step *= factor;
      break;
    }
  if (largest > 500 * span) scale.origin = step * std::floor(low / step);
  const auto add = [&](double value) {
    const double shown = value - scale.origin;
    // Rounding is to be within a hundredth of the range.
    const int digits = scale.origin == 0 ? 3 + static_cast<int>(std::ceil(std::log10(largest / span / 2))) : 3;
    scale.ticks.push_back({value, label_number(std::abs(shown) < 1e-9 * span ? 0 : shown, digits)});
  };
  add(low);
  for (double k = std::ceil(low / step); k * step < high; ++k)
    if (k * step - low > 0.09 * span && high - k * step > 0.09 * span) add(k * step);
  add(high);
  return scale;
}

std::string label_number(double value, int digits) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
  if (const double rounded = std::strtod(buffer, nullptr); std::abs(rounded) >= 1 && std::abs(rounded) < 1e6)
    std::snprintf(buffer, sizeof buffer, "%.*g", std::max(digits, 6), rounded);
  const std::string text = buffer;
  const auto e = text.find('e');
  if (e == std::string::npos) return text;
  const auto power = std::min(text.find_first_not_of('0', e + 2), text.size() - 1);
  return text.substr(0, e + 1) + (text[e + 1] == '-' ? "-" : "") + text.substr(power);
}

}  // namespace invar
