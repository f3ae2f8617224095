#include "apps/invar/verbs/posterior_series.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "apps/invar/problem/design_parts.hpp"
#include "apps/invar/verbs/results.hpp"
#include "libadjoint/inference/white_noise.hpp"
#include "libfem/io/pvd_series.hpp"

namespace invar {
namespace {

/// Different for all local entries of θ of all ranks, and the same on any number of ranks.
std::vector<long long> entry_numbers(const Problem& problem) {
  constexpr long long block_stride = 1LL << 52;  // above all numbers of cells and nodes
  std::vector<long long> all;
  const std::vector<DesignPart> parts = parts_of(*problem.functional);
  for (std::size_t b = 0; b < parts.size(); ++b) {
    if (parts[b].of.positions.empty()) continue;
    const std::vector<long long> numbers = numbers_of(mesh_of(problem, b), parts[b].of.of);
    for (const int position : parts[b].of.positions)
      for (int c = 0; c < parts[b].of.components; ++c) all.push_back(static_cast<long long>(b) * block_stride + numbers[position] * parts[b].of.components + c);
  }
  return all;
}

class Series {
 public:
  Series(Problem& problem, const Posterior& posterior, std::filesystem::path folder) : problem_(problem), posterior_(posterior), folder_(std::move(folder)) {}

  /// One file per case: value(q, cell, field) of each field with a prior in its designed cells, q the coordinate of the direction.
  template <class ValueOf>
  void add(const std::string& kind, int number, const DesignVector& direction, ValueOf&& value) {
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    std::vector<std::vector<VtkField>> of_cases(problem_.cases.size());
    for (std::size_t b = 0; b < problem_.blocks.size(); ++b) {
      auto* field = dynamic_cast<PriorField*>(problem_.functional->design()[b].get());
      if (!field) continue;
      std::vector<double> q;
      if (const Evaluation e = field->spread(problem_.functional->part_of(direction, b).local, q); !e.ok) throw std::runtime_error(e.reason);
      for (std::size_t c = 0; c < q.size(); ++c) q[c] = field->designed()[c] ? value(q[c], c, *field) : 0.0;
      const std::string& path = problem_.blocks[b].name;
      for (std::size_t k = 0; k < of_cases.size(); ++k)
        if (std::ranges::find(problem_.cases[k].fields, path, &DesignedField::path) != problem_.cases[k].fields.end())
          of_cases[k].push_back({posterior_stem(path) + "_" + kind, 1, VtkField::On::cells, q});
    }
    if (pvd_.empty())
      for (const CaseModel& model : problem_.cases) pvd_.emplace_back(folder_ / (model.name + "_" + kind + "s.pvd"));
    for (std::size_t k = 0; k < of_cases.size(); ++k) {
      if (of_cases[k].empty()) continue;
      const CaseModel& model = problem_.cases[k];
      const std::filesystem::path file = write_case_fields(model, folder_ / (model.name + "_" + kind + "_" + std::to_string(number)), of_cases[k]);
      if (rank == 0) pvd_[k].add(number, file);
    }
  }

 private:
  Problem& problem_;
  const Posterior& posterior_;
  std::filesystem::path folder_;
  std::vector<PvdSeries> pvd_;  // per case
};

}  // namespace

void write_posterior_series(Problem& problem, const Posterior& posterior, const DesignVector& theta, const std::filesystem::path& folder,
                            nlohmann::ordered_json& results) {
  const spec::Value& wanted = problem.spec["output"]["posterior"];
  const int samples = static_cast<int>(wanted["samples"].integer());
  const int modes = std::min(static_cast<int>(wanted["modes"].integer()), posterior.distribution.rank());
  if (!posterior.failure.empty() || (samples == 0 && modes == 0)) return;
  CaseFunctional& functional = *problem.functional;
  if (const Evaluation e = functional.solve(theta); !e.ok) throw std::runtime_error("the optimum cannot be evaluated again: " + e.reason);
  made_folder(folder);
  const std::vector<long long> numbers = entry_numbers(problem);
  const std::vector<DesignVariable> variables = functional.variables();
  Series of_samples(problem, posterior, folder), of_modes(problem, posterior, folder);
  for (int k = 1; k <= samples; ++k) {
    DesignVector drawn = posterior.distribution.draw(white_noise(numbers, theta.shared.size(), static_cast<unsigned long long>(wanted["seed"].integer()), k));
    nlohmann::ordered_json of_sample = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < variables.size(); ++i) of_sample[variables[i].name] = variables[i].transform.physical(drawn.shared[i]);
    if (!variables.empty()) results["samples"].push_back(std::move(of_sample));
    drawn.axpy(-1, theta);
    of_samples.add("sample", k, drawn, [](double q, std::size_t c, const PriorField& f) { return f.transform().physical(f.coordinates()[c] + q); });
  }
  const DesignVector orientation = white_noise(numbers, theta.shared.size(), 0, 0);  // fixes the sign, which is arbitrary
  for (int k = 1; k <= modes; ++k) {
    const DesignVector v = posterior.distribution.eigenvector(k - 1);
    const double sign = dot(orientation, v, functional.comm()) < 0 ? -1 : 1;
    of_modes.add("mode", k, v, [&](double q, std::size_t, const PriorField& f) {
      return sign * q * (f.transform().kind() == VariableTransform::Kind::linear ? std::abs(f.transform().scale()) : 1.0);
    });
  }
}

}  // namespace invar
