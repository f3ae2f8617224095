#pragma once
#include <memory>
#include <string>
#include <vector>

#include "apps/invar/problem/case_model.hpp"
#include "libadjoint/case_functional.hpp"
#include "libadjoint/maps/number_design.hpp"

namespace invar {

/// Data of one objective term as read, kept for the fit curves.
struct FitCurve {
  std::string name;           // unique among the terms
  int case_index = 0;
  int data_set = 0;           // position in the case's data
  std::vector<double> t;      // per step of the data set
};

struct Probe {
  std::string name;
  int case_index = 0;
  std::shared_ptr<Observable> observable;
};

/// A spec turned into equations, data, and an optimisation problem.
struct Problem {
  spec::Value spec;
  std::string title;
  std::vector<CaseModel> cases;
  std::shared_ptr<CaseFunctional> functional;   // without design when nothing is designed
  std::shared_ptr<NumberDesign> numbers;        // the designed numbers, first in θ; may be null
  std::vector<std::array<double, 2>> ranges;    // of multi-start, physical, per design entry
  std::vector<FitCurve> curves;
  std::vector<Probe> probes;
  bool noise_known = true;                      // every data set states its noise
  bool has_objective = false;
  bool sum_of_squares = true;                   // no term but data sets
};

/// Builds everything the spec says. Throws SpecError with all mistakes. Collective.
Problem build_problem(const std::filesystem::path& file, const std::vector<std::string>& sets, MPI_Comm comm);

/// The objective's terms of one case, before its mesh exists: reads the data files.
struct TermData {
  const spec::Value* term = nullptr;
  std::vector<double> t, values;                 // reaction: curve
  std::vector<std::vector<double>> points;       // markers
  std::vector<SourcePosition> places;            // of the markers in their file
  std::vector<std::array<double, 3>> measured;   // markers: NaN where not measured
};
std::vector<TermData> read_term_data(const std::vector<const spec::Value*>& terms, Diagnostics& diagnostics);
/// Load parameters at which the terms want the state, in the order of the process.
std::vector<double> times_wanted(const std::vector<TermData>& terms);
/// Adds the terms to the case's process.
void build_terms(Problem& problem, int case_index, const std::vector<TermData>& terms, Diagnostics& diagnostics);
/// The design variables.
std::vector<DesignEntry> build_design(Problem& problem, Diagnostics& diagnostics);

}  // namespace invar
