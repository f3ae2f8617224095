#pragma once
#include <string_view>

namespace invar {

/// Colours of pages and charts as CSS variables, for light and dark paper. Curves have the colours of Okabe and Ito, which are
/// distinguishable with most colour-vision deficiencies.
constexpr std::string_view light_colours =
    "--ink:#1d2329;--soft:#5a6672;--line:#d9dee3;--faint:#f4f6f8;--paper:#fff;--accent:#0b62a8;--good:#17713b;--bad:#a8261b;"
    "--c0:#0072b2;--c1:#c25400;--c2:#007f5f;--c3:#a8437f;--c4:#8a6d00;--c5:#4b5563";
constexpr std::string_view dark_colours =
    "--ink:#e4e8ec;--soft:#a3aeb9;--line:#39424b;--faint:#1f262d;--paper:#14191e;--accent:#6cb4ee;--good:#6ccf94;--bad:#f2897e;"
    "--c0:#56b4e9;--c1:#f0a04b;--c2:#3cc79b;--c3:#dd8fbd;--c4:#e3c44a;--c5:#b4bdc7";

/// Of the elements of a chart.
constexpr std::string_view chart_rules = R"css(
.chart text{fill:var(--ink);font-size:13px}.chart .ticks text{fill:var(--soft);font-size:12px}
.chart .axis{fill:var(--soft)}.chart .grid line{stroke:var(--line)}.chart .ticks line{stroke:var(--soft)}.chart .zero{stroke:var(--soft)}
.chart .line{fill:none;stroke-width:2;stroke-linejoin:round}.chart .points{fill:var(--paper);stroke-width:1.6}.chart .band-0{fill:var(--c0);opacity:.3}.chart .band-1{fill:var(--c0);opacity:.14}
.chart .dash-1{stroke-dasharray:7 4}.chart .dash-2{stroke-dasharray:2 3}.chart .dash-3{stroke-dasharray:9 3 2 3}
.chart .series-0{stroke:var(--c0)}.chart .series-1{stroke:var(--c1)}.chart .series-2{stroke:var(--c2)}.chart .series-3{stroke:var(--c3)}.chart .series-4{stroke:var(--c4)}.chart .series-5{stroke:var(--c5)}
)css";

}  // namespace invar
