#pragma once
#include "apps/invar/page/html_page.hpp"
#include "apps/invar/page/run_records.hpp"

namespace invar {

// The sections of a run's report, in their order. A section without data adds nothing.
void add_outcome(const RunRecords& run, HtmlPage& page);
void add_question(const RunRecords& run, HtmlPage& page);
void add_search(const RunRecords& run, HtmlPage& page);
void add_weight(const RunRecords& run, HtmlPage& page);
void add_pictures(const RunRecords& run, HtmlPage& page);
void add_curves(const RunRecords& run, HtmlPage& page);
void add_walls(const RunRecords& run, HtmlPage& page);
void add_parameters(const RunRecords& run, HtmlPage& page);
void add_quantities(const RunRecords& run, HtmlPage& page);
void add_trust(const RunRecords& run, HtmlPage& page);
void add_methods(const RunRecords& run, HtmlPage& page);
void add_reproduction(const RunRecords& run, HtmlPage& page);

}  // namespace invar
