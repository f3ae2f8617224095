#pragma once
#include <string_view>

namespace invar {

/// Of a report: one column, light and dark as the reader's system has it, for paper as well. Colours of curves are those of
/// Okabe and Ito, which most colour-blind people tell apart.
constexpr std::string_view page_style = R"css(
:root{--ink:#1d2329;--soft:#5a6672;--line:#d9dee3;--faint:#f4f6f8;--paper:#fff;--accent:#0b62a8;--good:#17713b;--bad:#a8261b;
--c0:#0072b2;--c1:#c25400;--c2:#007f5f;--c3:#a8437f;--c4:#8a6d00;--c5:#4b5563}
@media (prefers-color-scheme:dark){:root{--ink:#e4e8ec;--soft:#a3aeb9;--line:#39424b;--faint:#1f262d;--paper:#14191e;--accent:#6cb4ee;
--good:#6ccf94;--bad:#f2897e;--c0:#56b4e9;--c1:#f0a04b;--c2:#3cc79b;--c3:#dd8fbd;--c4:#e3c44a;--c5:#b4bdc7}}
*{box-sizing:border-box}html{color-scheme:light dark}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
.skip{position:absolute;left:-999px}.skip:focus{left:12px;top:12px;background:var(--paper);padding:6px 12px;z-index:1}
header,main,footer{max-width:780px;margin:0 auto;padding:0 20px}
header{padding-top:44px}h1{font-size:1.75rem;line-height:1.25;margin:0 0 6px;font-weight:650;text-wrap:balance}
.lead{color:var(--soft);margin:0 0 18px}h2{font-size:1.2rem;margin:44px 0 10px;padding-top:14px;border-top:1px solid var(--line);font-weight:650}
h3{font-size:1rem;margin:26px 0 6px;font-weight:650}p{margin:0 0 12px;max-width:68ch;overflow-wrap:anywhere}
nav ul{list-style:none;padding:0;margin:0;display:flex;flex-wrap:wrap;gap:2px 18px;font-size:.92rem}
a{color:var(--accent);text-underline-offset:2px}a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.verdict{border-left:4px solid var(--soft);background:var(--faint);padding:10px 16px;margin:0 0 14px;max-width:none}
.verdict.good{border-color:var(--good)}.verdict.bad{border-color:var(--bad)}.verdict strong{margin-right:.4em}
.scroll{overflow-x:auto;margin:0 0 14px}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem;min-width:50%}
caption{text-align:left;color:var(--soft);padding:0 0 6px;font-size:.92rem}th,td{padding:4px 18px 4px 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
thead th{color:var(--soft);font-weight:600;white-space:nowrap}th[scope=row]{font-weight:500}.num{text-align:right}
dl{display:grid;grid-template-columns:minmax(9rem,auto) 1fr;gap:2px 20px;margin:0 0 14px}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
@media (max-width:520px){dl{grid-template-columns:1fr}dd{margin:0 0 6px}}
figure{margin:14px 0 22px}figcaption{color:var(--soft);font-size:.92rem;margin-top:4px}img{max-width:100%;height:auto;border:1px solid var(--line);background:#fff}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(280px,1fr));gap:0 18px}
pre{background:var(--faint);border:1px solid var(--line);padding:10px 14px;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.86rem;line-height:1.45}
code{font-family:ui-monospace,"SFMono-Regular",Menlo,"DejaVu Sans Mono",monospace;font-size:.9em}
details{margin:0 0 14px}summary{cursor:pointer;color:var(--accent)}footer{color:var(--soft);font-size:.86rem;padding:40px 20px 60px}
svg.chart{width:100%;height:auto;display:block;font-family:inherit}.chart text{fill:var(--ink);font-size:13px}.chart .ticks text{fill:var(--soft);font-size:12px}
.chart .axis{fill:var(--soft)}.chart .grid line{stroke:var(--line)}.chart .ticks line{stroke:var(--soft)}.chart .zero{stroke:var(--soft)}
.chart .line{fill:none;stroke-width:2;stroke-linejoin:round}.chart .points{fill:var(--paper);stroke-width:1.6}.chart .band{fill:var(--c0);opacity:.2}
.chart .dash-1{stroke-dasharray:7 4}.chart .dash-2{stroke-dasharray:2 3}.chart .dash-3{stroke-dasharray:9 3 2 3}
.chart .series-0{stroke:var(--c0)}.chart .series-1{stroke:var(--c1)}.chart .series-2{stroke:var(--c2)}.chart .series-3{stroke:var(--c3)}.chart .series-4{stroke:var(--c4)}.chart .series-5{stroke:var(--c5)}
@media print{nav,.skip{display:none}body{font-size:11pt}h2{break-after:avoid}figure,table{break-inside:avoid}}
)css";

}  // namespace invar
