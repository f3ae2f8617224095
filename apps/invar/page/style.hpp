#pragma once
#include <string_view>

namespace invar {

/// CSS of a report: one column, light or dark as the reader's system, also for print. Colours and charts are
/// those of chart/chart_style.hpp, which stands before it.
constexpr std::string_view page_style = R"css(
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
.scroll{overflow-x:auto;margin:0 0 14px}main>.scroll{width:max-content;min-width:100%;max-width:min(calc(100vw - 40px),calc(50vw + 350px))}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem;min-width:50%}
caption{text-align:left;color:var(--soft);padding:0 0 6px;font-size:.92rem}th,td{padding:4px 18px 4px 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
thead th{color:var(--soft);font-weight:600;vertical-align:bottom}th[scope=row]{font-weight:500}.num{text-align:right;white-space:nowrap}
dl{display:grid;grid-template-columns:minmax(9rem,auto) 1fr;gap:2px 20px;margin:0 0 14px}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
@media (max-width:520px){dl{grid-template-columns:1fr}dd{margin:0 0 6px}}
figure{margin:14px 0 22px}figcaption{color:var(--soft);font-size:.92rem;margin-top:4px}img{max-width:100%;height:auto;border:1px solid var(--line);background:#fff}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(280px,1fr));gap:0 18px;width:min(1160px,calc(100vw - 40px));margin-left:50%;transform:translateX(-50%)}
pre{background:var(--faint);border:1px solid var(--line);padding:10px 14px;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.86rem;line-height:1.45}
code{font-family:ui-monospace,"SFMono-Regular",Menlo,"DejaVu Sans Mono",monospace;font-size:.9em}
details{margin:0 0 14px}summary{cursor:pointer;color:var(--accent)}footer{color:var(--soft);font-size:.86rem;padding:40px 20px 60px}
figure .scroll{margin:0}svg.chart{min-width:480px;width:100%;height:auto;display:block;font-family:inherit}@media print{nav,.skip{display:none}main>.scroll{width:auto;max-width:none}body{font-size:11pt}h2{break-after:avoid}figure,table{break-inside:avoid}}
)css";

}  // namespace invar
