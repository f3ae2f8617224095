#include "apps/invar/verbs/design_size.hpp"

#include "apps/invar/report/console.hpp"

namespace invar {
namespace {

std::string counted(long long n, const std::string& one, const std::string& many) { return grouped(n) + ' ' + (n == 1 ? one : many); }

}  // namespace

std::string DesignSize::text() const {
  const std::string all = counted(total(), "design variable", "design variables");
  if (entries == 0) return all;
  const std::string of_fields = counted(entries, "entry of a field", "entries of fields");
  return all + " (" + (numbers > 0 ? counted(numbers, "number", "numbers") + ", " : "") + of_fields + ")";
}

DesignSize design_size(const CaseFunctional& functional) {
  const DesignVector start = functional.start();
  DesignSize size{static_cast<long long>(start.shared.size()), static_cast<long long>(start.local.size())};
  MPI_Allreduce(MPI_IN_PLACE, &size.entries, 1, MPI_LONG_LONG, MPI_SUM, functional.comm());
  return size;
}

}  // namespace invar
