#include "libfluid/flow/pressure_correction_form.ipp"

namespace invar {

template std::unique_ptr<WeakForm> make_corrected_momentum_form(CorrectedMomentum<AxisymmetricFlow>, CellBatches);
template std::unique_ptr<WeakForm> make_pressure_correction_form(PressureCorrection<AxisymmetricFlow>, CellBatches);

}  // namespace invar
