#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "libfem/math/near_zero.hpp"

namespace invar {

/// Contribution of one neuron to an energy of a stretch l: w/s ln(1 + exp(s (l − c))); its slope rises from 0 to w around c over a
/// width of 1/s.
template <class E>
struct SoftKnee {
  E stress, sharpness, knee;  // w, s, c
};

/// f(x) = Σ_i φ_i(λ) + Σ_i ψ_i(1/λ) − γ ln λ of a Green strain x with stretch λ = √(1 + 2x): SoftKnee functions minus their values at
/// λ = 1, and γ such that f′ vanishes at x = 0. f and f′ are accurate to round-off near it. Summed over the principal strains of a
/// volume-preserving deformation, the logarithms cancel. Parameters may carry derivatives. Has the interface required by
/// `trace_of_function`, and the divided difference in closed form.
template <class E, int capacity>
class StretchNetwork {
 public:
  /// Uses the first `neurons` of each array.
  StretchNetwork(int neurons, const std::array<SoftKnee<E>, capacity>& stretch, const std::array<SoftKnee<E>, capacity>& inverse)
      : neurons_(neurons), stretch_(stretch), inverse_(inverse) {
    for (int i = 0; i < neurons; ++i) {
      at_rest_[i] = logistic(stretch[i].sharpness * (1.0 - stretch[i].knee));
      at_rest_[capacity + i] = logistic(inverse[i].sharpness * (1.0 - inverse[i].knee));
    }
  }

  /// f⁽ᵏ⁾(x), 0 ≤ k ≤ 16.
  template <class T>
  INVAR_INLINE auto derivative(int k, const T& x) const {
    using R = std::remove_cvref_t<decltype(x * stretch_[0].stress)>;
    if (k == 2) return R(differences<true>(x, x));
    if (k > 2) return taylor<R>(k, x);
    const T stretch = sqrt(T(1.0 + 2.0 * x)), excess = 2.0 * x / (1.0 + stretch);  // λ − 1
    const T inverse = 1.0 / stretch, deficit = -(excess * inverse);                // 1/λ − 1
    const T beyond = -log1pmx(excess), short_of = -log1pmx(deficit);               // λ − 1 − ln λ, 1/λ − 1 + ln λ
    R sum(0.0);
    for (int i = 0; i < neurons_; ++i) {
      const SoftKnee<E>&a = stretch_[i], &b = inverse_[i];
      const Logistic &at = at_rest_[i], &bt = at_rest_[capacity + i];
      const R da = excess * a.sharpness, db = deficit * b.sharpness;
      if (k == 0)
        sum += a.stress / a.sharpness * bend(da, at, R(a.sharpness * (1.0 - a.knee))) + beyond * (a.stress * at.value) +
               b.stress / b.sharpness * bend(db, bt, R(b.sharpness * (1.0 - b.knee))) + short_of * (b.stress * bt.value);
      else
        sum += a.stress * (rise(da, at) * inverse + at.value * (excess * (inverse * inverse))) -
               b.stress * (rise(db, bt) * (inverse * inverse * inverse) + bt.value * (deficit * (inverse * inverse)));
    }
    return sum;
  }

  /// f′[a, b] = (f′(a) − f′(b))/(a − b), f″(a) where a = b.
  template <class T>
  INVAR_INLINE auto divided_difference(const T& a, const T& b) const {
    return differences<false>(a, b);
  }

  /// Distance from x to the nearest singularity of f: x = −½, or a pole of a knee at l = c ± iπ/s.
  template <class T>
  INVAR_INLINE T radius(const T& x) const {
    using std::numbers::pi;
    T nearest = 0.5 + x;
    for (int i = 0; i < 2 * neurons_; ++i) {
      const SoftKnee<E>& k = i < neurons_ ? stretch_[i] : inverse_[i - neurons_];
      const auto height = pi / value_of(k.sharpness), c = value_of(k.knee);
      auto re = c * c - height * height, im = 2.0 * c * height;  // of the pole's squared stretch, or of its inverse
      if (i >= neurons_) {
        const auto size = re * re + im * im;
        re = re / size, im = im / size;
      }
      const T along = 0.5 * (re - 1.0) - x, across = T(0.5 * im);
      nearest = min(nearest, sqrt(T(along * along + across * across)));
    }
    return nearest;
  }

  /// The same function without the derivatives of its parameters.
  friend INVAR_INLINE auto value_of(const StretchNetwork& f) {
    using invar::value_of;
    using S = scalar_of_t<E>;
    const auto plain = [&f](const std::array<SoftKnee<E>, capacity>& knees) {
      std::array<SoftKnee<S>, capacity> out;
      for (int i = 0; i < f.neurons_; ++i) out[i] = {value_of(knees[i].stress), value_of(knees[i].sharpness), value_of(knees[i].knee)};
      return out;
    };
    return StretchNetwork<S, capacity>(f.neurons_, plain(f.stretch_), plain(f.inverse_));
  }

 private:
  /// same: a = b; the difference quotient of the logistic function is then its derivative.
  template <bool same, class T>
  INVAR_INLINE auto differences(const T& a, const T& b) const {
    using R = std::remove_cvref_t<decltype(a * stretch_[0].stress)>;
    const T la = sqrt(T(1.0 + 2.0 * a)), lb = sqrt(T(1.0 + 2.0 * b)), na = 1.0 / la, nb = 1.0 / lb;
    const T l_ab = 2.0 / (la + lb), n_ab = -(na * nb * l_ab);  // λ[a, b], (1/λ)[a, b]
    const T square = (na + nb) * n_ab, cube = (na * na + na * nb + nb * nb) * n_ab;
    R sum(0.0);
    for (int i = 0; i < neurons_; ++i) {
      const SoftKnee<E>&p = stretch_[i], &q = inverse_[i];
      const R zp = (lb - p.knee) * p.sharpness, zq = (nb - q.knee) * q.sharpness;
      const LogisticOf<R> sp = logistic(zp), sq = logistic(zq);
      R rising_p, rising_q;
      if constexpr (same) rising_p = sp.value * sp.rest, rising_q = sq.value * sq.rest;
      else rising_p = slope(R((la - lb) * p.sharpness), sp), rising_q = slope(R((na - nb) * q.sharpness), sq);
      sum += p.stress * (rising_p * (p.sharpness * (l_ab * na)) + sp.value * n_ab - at_rest_[i].value * square) -
             q.stress * (rising_q * (q.sharpness * (n_ab * (na * na * na))) + sq.value * cube - at_rest_[capacity + i].value * square);
    }
    return sum;
  }

  /// σ(z) = 1/(1 + exp(−z)), and 1 − σ(z), each exact to rounding.
  template <class R>
  struct LogisticOf {
    R value, rest;
  };
  using Logistic = LogisticOf<E>;

  template <class R>
  static INVAR_OUTLINE LogisticOf<R> logistic(const R& z) {
    const auto negative = key_of(z) < 0.0;
    const R m = exp(R(select(negative, z, R(-z)))), large = 1.0 / (1.0 + m), small = m * large;
    return {select(negative, small, large), select(negative, large, small)};
  }
  /// σ(z₀ + δ) − σ(z₀).
  template <class R>
  static INVAR_OUTLINE R rise(const R& delta, const Logistic& at) {
    const auto negative = key_of(delta) < 0.0;
    const R y = select(negative, delta, R(-delta)), m = expm1(y);
    const R near = select(negative, R(at.value), R(at.rest)), far = select(negative, R(at.rest), R(at.value));
    const R r = at.value * at.rest * m / (far + near * exp(y));
    return select(negative, r, R(-r));
  }
  /// (σ(z + δ) − σ(z))/δ, σ′(z) where δ = 0.
  template <class R>
  static INVAR_OUTLINE R slope(const R& delta, const LogisticOf<R>& at) {
    const auto negative = key_of(delta) < 0.0;
    const R y = select(negative, delta, R(-delta));
    const R near = select(negative, at.value, at.rest), far = select(negative, at.rest, at.value);
    return at.value * at.rest * expm1_by_x(y) / (far + near * exp(y));
  }
  /// ln(1 + exp(z₀ + δ)) − ln(1 + exp(z₀)) − σ(z₀) δ, of second order in δ: by ln(1 + σ (exp(δ) − 1)) with the smaller of σ and 1 − σ,
  /// which −δ exchanges.
  template <class R>
  static INVAR_OUTLINE R bend(const R& delta, const Logistic& at, const R& z0) {
    const auto small = key_of(delta) < 1.0 && key_of(delta) > -1.0;
    R near(0.0), far(0.0);
    if (any(small)) {
      const auto low = key_of(at.value) < 0.5;
      const R share = select(low, R(at.value), R(at.rest));
      const R v = select(small, select(low, delta, R(-delta)), R(0.0));
      near = log1pmx(R(share * expm1(v))) + share * expm1mx(v);
    }
    if (!all(small)) far = softplus(R(z0 + delta)) - softplus(z0) - at.value * delta;
    return select(small, near, far);
  }
  template <class R>
  static INVAR_OUTLINE R softplus(const R& z) {
    const auto negative = key_of(z) < 0.0;
    const R tail = log1p(exp(R(select(negative, z, R(-z)))));
    return select(negative, tail, R(z + tail));
  }
  /// By power series in x about the point, up to order k − 1 of f′.
  template <class R, class T>
  INVAR_OUTLINE R taylor(int k, const T& x) const {
    constexpr int most = 16;
    T l[most], n[most], b[most];  // λ, 1/λ, 1/λ²
    const T square = 1.0 + 2.0 * x;
    l[0] = sqrt(square), n[0] = 1.0 / l[0], b[0] = 1.0 / square;
    for (int j = 1; j < k; ++j) {
      T s(j == 1 ? 2.0 : 0.0), t(0.0);
      for (int i = 1; i < j; ++i) s -= l[i] * l[j - i];
      l[j] = 0.5 * s * n[0];
      for (int i = 1; i <= j; ++i) t -= l[i] * n[j - i];
      n[j] = t * n[0];
      b[j] = -2.0 * b[j - 1] * b[0];
    }
    R sum(0.0);
    for (int i = 0; i < 2 * neurons_; ++i) {
      const bool direct = i < neurons_;
      const int k_th = direct ? i : i - neurons_;
      const SoftKnee<E>& p = direct ? stretch_[k_th] : inverse_[k_th];
      const T* z = direct ? l : n;
      R s[most], q[most];  // σ and σ (1 − σ) along the series: j σ_j = s Σ i z_i q_{j−i}
      const LogisticOf<R> first = logistic(R((z[0] - p.knee) * p.sharpness));
      s[0] = first.value, q[0] = first.value * first.rest;
      for (int j = 1; j < k; ++j) {
        R t(0.0);
        for (int m = 1; m <= j; ++m) t += q[j - m] * (double(m) * z[m]);
        s[j] = t * p.sharpness * (1.0 / j);
        R product(0.0);
        for (int m = 0; m <= j; ++m) product += s[m] * s[j - m];
        q[j] = s[j] - product;
      }
      R share(0.0);
      for (int j = 0; j < k; ++j) {
        T weight(0.0);  // of σ_j: of 1/λ, or of 1/λ³
        if (direct) weight = n[k - 1 - j];
        else
          for (int m = 0; m <= k - 1 - j; ++m) weight += n[m] * b[k - 1 - j - m];
        share += s[j] * weight;
      }
      share -= at_rest_[direct ? i : capacity + k_th].value * b[k - 1];
      if (direct) sum += p.stress * share;
      else sum -= p.stress * share;
    }
    double factorial = 1;
    for (int j = 2; j < k; ++j) factorial *= j;
    return sum * factorial;
  }

  int neurons_;
  std::array<SoftKnee<E>, capacity> stretch_, inverse_;
  std::array<Logistic, 2 * capacity> at_rest_;  // those of 1/λ start at `capacity`
};

}  // namespace invar
