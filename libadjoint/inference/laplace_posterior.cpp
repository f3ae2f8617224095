#include "libadjoint/inference/laplace_posterior.hpp"

#include <petscsys.h>  // for types in the next header
#include <petscblaslapack.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libadjoint/normal_number.hpp"

namespace invar {
namespace {

/// Eigenvalues in ascending order; A is replaced by the eigenvectors. LAPACK is used because Eigen's decompositions compile slowly.
Eigen::VectorXd symmetric_eigen(Eigen::MatrixXd& A) {
  const auto n = static_cast<PetscBLASInt>(A.rows());
  Eigen::VectorXd values(n);
  if (n == 0) return values;
  PetscBLASInt info = 0, size = std::max<PetscBLASInt>(1, 3 * n);
  std::vector<double> work(size);
  LAPACKsyev_("V", "U", &n, A.data(), &n, values.data(), work.data(), &size, &info);
  if (info != 0) throw std::runtime_error("LAPACK's eigenvalues of a symmetric matrix failed");
  return values;
}

}  // namespace

Eigen::MatrixXd LaplacePosterior::summed(Eigen::MatrixXd here) const {
  MPI_Allreduce(MPI_IN_PLACE, here.data(), static_cast<int>(here.size()), MPI_DOUBLE, MPI_SUM, comm_);
  return here;
}

Eigen::VectorXd LaplacePosterior::local_of(const DesignVector& x) const {
  return Eigen::Map<const Eigen::VectorXd>(x.local.data(), static_cast<Eigen::Index>(x.local.size()));
}

Evaluation LaplacePosterior::find(LeastSquaresFunctional& functional, const DesignVector& theta) {
  functional_ = &functional;
  comm_ = functional.comm();
  theta_ = theta;
  products_ = 0;
  excess_.resize(0, 0);
  const DesignVector precision = functional.prior_precision();
  int known = std::ranges::all_of(precision.local, [](double p) { return p == 1; });
  MPI_Allreduce(MPI_IN_PLACE, &known, 1, MPI_INT, MPI_MIN, comm_);
  if (!known) return Evaluation::failure("a field without a prior is designed, too");
  Evaluation e = functional.value(theta);
  if (e.ok) e = find_shared();
  if (e.ok) e = find_pairs();
  if (e.ok) cover_shared();
  functional_ = nullptr;
  return e;
}

void LaplacePosterior::cover_shared() {
  shared_covariance_ = Eigen::MatrixXd::Zero(theta_.shared.size(), theta_.shared.size());
  const Eigen::MatrixXd VB = summed(V_.transpose() * B_);
  const Eigen::VectorXd drop = lambda_.array() / (1 + lambda_.array());
  Eigen::MatrixXd covariance = inverse_ + summed(B_.transpose() * B_) - VB.transpose() * drop.asDiagonal() * VB;
  if (excess_.size() > 0) {
    Eigen::MatrixXd moved(excess_.rows(), VB.cols());  // of the coordinates by the shared entries
    moved << -VB, Eigen::MatrixXd::Identity(VB.cols(), VB.cols());
    covariance += moved.transpose() * excess_ * moved;
  }
  for (std::size_t i = 0; i < free_.size(); ++i)
    for (std::size_t j = 0; j < free_.size(); ++j)
      shared_covariance_(free_[i], free_[j]) = covariance(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
}

void LaplacePosterior::widen(const Eigen::MatrixXd& K) {
  const Eigen::Index r = rank(), all = r + inverse_.rows();
  Eigen::MatrixXd gain = Eigen::MatrixXd::Zero(all, all);  // H⁻¹
  gain.topLeftCorner(r, r).diagonal() = (1 + lambda_.array()).inverse();
  gain.bottomRightCorner(all - r, all - r) = inverse_;
  excess_ = gain * K * gain;
  root_ = gain + excess_;
  const Eigen::VectorXd values = symmetric_eigen(root_).cwiseMax(0.0);
  root_ = (root_ * values.cwiseSqrt().asDiagonal() * root_.transpose()).eval();
  cover_shared();
}

void LaplacePosterior::inflate(double factor) {
  lambda_ /= factor * factor;
  inverse_ *= factor * factor;
  log_det_shared_ -= 2 * static_cast<double>(free_.size()) * std::log(factor);
  cover_shared();
}

Evaluation LaplacePosterior::find_shared() {
  const auto locals = static_cast<Eigen::Index>(theta_.local.size());
  const DesignVector lower = functional_->lower(), upper = functional_->upper(), precision = functional_->prior_precision();
  free_.clear();
  for (std::size_t k = 0; k < theta_.shared.size(); ++k) {
    const double x = theta_.shared[k], near = 1e-9 * std::max(1.0, std::abs(x));
    if (x - lower.shared[k] >= near && upper.shared[k] - x >= near) free_.push_back(static_cast<int>(k));
  }
  const auto n = static_cast<Eigen::Index>(free_.size());
  J_s_.resize(functional_->residual_count(), n);
  inverse_.resize(n, n);
  B_.resize(locals, n);
  log_det_shared_ = 0;
  if (n == 0) return Evaluation::success(0);
  for (Eigen::Index k = 0; k < n; ++k) {
    DesignVector unit = DesignVector::zeros_like(theta_);
    unit.shared[free_[k]] = 1;
    Eigen::VectorXd column;
    if (const Evaluation e = functional_->residual_jvp(theta_, unit, column); !e.ok) return e;
    J_s_.col(k) = column;
  }
  Eigen::MatrixXd A = J_s_.transpose() * J_s_;
  for (Eigen::Index k = 0; k < n; ++k) A(k, k) += precision.shared[free_[k]];
  // Scaled to unit diagonal, so that the units of the variables do not matter.
  const Eigen::VectorXd size = A.diagonal().cwiseSqrt();
  if (!(size.minCoeff() > 0)) return Evaluation::failure("the data do not depend on '" + functional_->names()[free_[0]] + "' or another number");
  Eigen::MatrixXd vectors = size.cwiseInverse().asDiagonal() * A * size.cwiseInverse().asDiagonal();
  const Eigen::VectorXd values = symmetric_eigen(vectors);
  if (!(values[0] > 1e-12 * values[n - 1])) return Evaluation::failure("the data do not distinguish the designed numbers");
  vectors = size.cwiseInverse().asDiagonal() * vectors;
  inverse_ = vectors * values.cwiseInverse().asDiagonal() * vectors.transpose();
  log_det_shared_ = values.array().log().sum() + 2 * size.array().log().sum();
  const Eigen::MatrixXd of_rows = J_s_ * inverse_;
  for (Eigen::Index k = 0; k < n; ++k) {
    DesignVector g;
    if (const Evaluation e = functional_->residual_vjp(theta_, of_rows.col(k), g); !e.ok) return e;
    B_.col(k) = local_of(g);
  }
  return Evaluation::success(0);
}

/// out = H v
Evaluation LaplacePosterior::multiply(const Eigen::VectorXd& v, Eigen::VectorXd& out) {
  ++products_;
  DesignVector direction = DesignVector::zeros_like(theta_), g;
  std::ranges::copy(v, direction.local.begin());
  Eigen::VectorXd w;
  Evaluation e = functional_->residual_jvp(theta_, direction, w);
  if (!e.ok) return e;
  if (!free_.empty()) w -= J_s_ * (inverse_ * (J_s_.transpose() * w));
  if (e = functional_->residual_vjp(theta_, w, g); e.ok) out = local_of(g);
  return e;
}

/// Appends to Q an orthonormal basis of the part of `block` outside its span; columns within the span up to round-off are dropped.
void LaplacePosterior::extend(Eigen::MatrixXd& Q, const Eigen::MatrixXd& block) const {
  constexpr double lost = 1e-9;  // relative length of a vector that is round-off
  const auto length = [&](const Eigen::VectorXd& x) { return std::sqrt(summed(x.transpose() * x)(0, 0)); };
  for (Eigen::Index k = 0; k < block.cols(); ++k) {
    Eigen::VectorXd q = block.col(k);
    const double before = length(q);
    for (int twice = 0; twice < 2; ++twice) q -= Q * summed(Q.transpose() * q);
    const double after = length(q);
    if (!(after > lost * before)) continue;
    q /= after;
    q -= Q * summed(Q.transpose() * q);
    Q.conservativeResize(Eigen::NoChange, Q.cols() + 1);
    Q.rightCols(1) = q / length(q);
  }
}

/// The first block: J_lᵀ w for random w in the space of the data, in the range of H. Of random vectors in the space of the variables
/// a share of 1/√n would lie along each eigenvector, by which those of few data in many variables are not seen.
Evaluation LaplacePosterior::first_block(Eigen::MatrixXd& block) {
  std::mt19937_64 random(options_.seed);  // the same on all ranks, as the data are
  const auto data = static_cast<Eigen::Index>(functional_->residual_count());
  block.resize(static_cast<Eigen::Index>(theta_.local.size()), std::min<Eigen::Index>(options_.block, data));
  for (Eigen::Index k = 0; k < block.cols(); ++k) {
    const Eigen::VectorXd w = Eigen::VectorXd::NullaryExpr(data, [&] { return normal_number(random); });
    DesignVector g;
    if (const Evaluation e = functional_->residual_vjp(theta_, w, g); !e.ok) return e;
    block.col(k) = local_of(g);
  }
  return Evaluation::success(0);
}

Evaluation LaplacePosterior::find_pairs() {
  constexpr double growth = 1.15;  // of the subspace between two convergence checks
  const auto n = static_cast<Eigen::Index>(theta_.local.size());
  Eigen::MatrixXd Q(n, 0), T(0, 0), image;
  if (const Evaluation e = first_block(image); !e.ok) return e;
  lambda_.resize(0);
  truncated_ = false;
  V_.resize(n, 0);
  for (double look = 0; Q.cols() < options_.most;) {
    const Eigen::Index first = Q.cols();
    extend(Q, image);
    const Eigen::Index added = Q.cols() - first, all = Q.cols();
    if (all == 0) break;
    image.resize(n, added);
    for (Eigen::Index k = 0; k < added; ++k) {
      Eigen::VectorXd h;
      if (const Evaluation e = multiply(Q.col(first + k), h); !e.ok) return e;
      image.col(k) = h;
    }
    const Eigen::MatrixXd with = summed(Q.transpose() * image);  // QᵀH of the new columns
    T.conservativeResize(all, all);
    T.rightCols(added) = with;
    T.bottomRows(added) = with.transpose();
    const bool whole = added == 0 || all >= options_.most;  // the subspace is invariant under H, or has its largest dimension
    if (!whole && static_cast<double>(all) < look) continue;
    look = growth * static_cast<double>(all);
    Eigen::MatrixXd Y = 0.5 * (T + T.transpose());
    const Eigen::VectorXd ritz = symmetric_eigen(Y).reverse();
    Y = Y.rowwise().reverse().eval();
    const Eigen::Index large = (ritz.array() > options_.smallest).count(), kept = std::min<Eigen::Index>(large, options_.rank);
    // The residual H Q − Q T is nonzero only in the last columns.
    const Eigen::MatrixXd beyond = image - Q * with, gram = summed(beyond.transpose() * beyond);
    const auto residual = [&](Eigen::Index k) {
      const Eigen::VectorXd last = Y.col(k).tail(added);
      return std::sqrt(std::max(0.0, last.dot(gram * last)));
    };
    // Ritz values are lower bounds: that the next one is small says that its eigenvalue is, only if it has converged, too.
    bool converged = first > 0 && kept < all && (kept < large || residual(kept) <= std::max(0.5 * options_.smallest, options_.tolerance));
    for (Eigen::Index k = 0; k < kept && converged; ++k) converged = residual(k) <= options_.tolerance * (1 + ritz[k]);
    if (!converged && !whole) continue;
    truncated_ = kept < large || (!converged && added > 0);
    lambda_ = ritz.head(kept);
    V_ = Q * Y.leftCols(kept);
    break;
  }
  return Evaluation::success(0);
}

DesignVector LaplacePosterior::eigenvector(int i) const {
  DesignVector v = DesignVector::zeros_like(theta_);
  std::ranges::copy(V_.col(i), v.local.begin());
  return v;
}

DesignVector LaplacePosterior::direction(int i) const {
  DesignVector v = eigenvector(i);
  if (free_.empty()) return v;
  const Eigen::VectorXd beside = summed(B_.transpose() * V_.col(i));
  for (std::size_t k = 0; k < free_.size(); ++k) v.shared[free_[k]] = -beside[static_cast<Eigen::Index>(k)];
  return v;
}

double LaplacePosterior::resolved_directions() const { return (lambda_.array() / (1 + lambda_.array())).sum(); }

double LaplacePosterior::information_gain() const { return 0.5 * lambda_.array().log1p().sum(); }

double LaplacePosterior::negative_log_evidence(double value) const { return value + information_gain() + 0.5 * log_det_shared_; }

double LaplacePosterior::negative_log_model_evidence(double value, double data) const {
  return value + information_gain() + 0.5 * free_numbers() * std::log(data);
}

double LaplacePosterior::preferred_scale() const {
  const Eigen::VectorXd theta = local_of(theta_);
  return std::sqrt(summed(theta.transpose() * theta)(0, 0) / resolved_directions());
}

double LaplacePosterior::variance(const DesignVector& g) const {
  Eigen::VectorXd g_s(free_.size());
  for (std::size_t k = 0; k < free_.size(); ++k) g_s[static_cast<Eigen::Index>(k)] = g.shared[free_[k]];
  const Eigen::VectorXd h = local_of(g) - B_ * g_s;
  const Eigen::VectorXd along = summed(V_.transpose() * h);
  const Eigen::VectorXd drop = lambda_.array() / (1 + lambda_.array());
  double sum = summed(h.transpose() * h)(0, 0) - along.dot(drop.asDiagonal() * along) + g_s.dot(inverse_ * g_s);
  if (excess_.size() == 0) return sum;
  Eigen::VectorXd coordinates(excess_.rows());
  coordinates << along, g_s;
  return sum + coordinates.dot(excess_ * coordinates);
}

DesignVector LaplacePosterior::draw(const DesignVector& white) const {
  const Eigen::Index r = rank(), n = static_cast<Eigen::Index>(free_.size());
  const Eigen::VectorXd z = local_of(white);
  Eigen::VectorXd given(r + n), moved(r + n);  // in the coordinates of `widen`
  given.head(r) = summed(V_.transpose() * z);
  for (Eigen::Index k = 0; k < n; ++k) given[r + k] = white.shared[free_[k]];
  // Symmetric roots, which do not depend on the signs of eigenvectors.
  if (root_.size() > 0) {
    moved = root_ * given;
  } else {
    moved.head(r) = given.head(r).cwiseProduct(Eigen::VectorXd((1 + lambda_.array()).rsqrt()));
    Eigen::MatrixXd vectors = inverse_;
    if (n > 0) {
      const Eigen::VectorXd values = symmetric_eigen(vectors).cwiseMax(0.0);
      moved.tail(n) = vectors * values.cwiseSqrt().asDiagonal() * (vectors.transpose() * given.tail(n));
    }
  }
  const Eigen::VectorXd local = z + V_ * (moved.head(r) - given.head(r));
  DesignVector drawn = theta_;
  for (std::size_t i = 0; i < drawn.local.size(); ++i) drawn.local[i] += local[static_cast<Eigen::Index>(i)];
  if (n == 0) return drawn;
  const Eigen::VectorXd shared = moved.tail(n) - Eigen::VectorXd(summed(B_.transpose() * local));
  for (Eigen::Index k = 0; k < n; ++k) drawn.shared[free_[k]] += shared[k];
  return drawn;
}

}  // namespace invar
