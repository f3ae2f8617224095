#pragma once
#include <array>
#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <map>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace invar::test {

/// 80 decimal digits: enough for I1 − 3, whose fourth order in a strain of 1e-12 may be all that is left of an energy.
using Long = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<80>, boost::multiprecision::et_off>;

/// A number and its derivative along one direction; nothing of the library's duals.
struct LongDual {
  Long v, d;
  LongDual(Long value = 0, Long derivative = 0) : v(std::move(value)), d(std::move(derivative)) {}
  LongDual(double value) : v(value), d(0) {}
  LongDual(int value) : v(value), d(0) {}
};
inline LongDual operator+(const LongDual& a, const LongDual& b) { return {a.v + b.v, a.d + b.d}; }
inline LongDual operator-(const LongDual& a, const LongDual& b) { return {a.v - b.v, a.d - b.d}; }
inline LongDual operator-(const LongDual& a) { return {-a.v, -a.d}; }
inline LongDual operator*(const LongDual& a, const LongDual& b) { return {a.v * b.v, a.v * b.d + a.d * b.v}; }
inline LongDual operator/(const LongDual& a, const LongDual& b) {
  const Long q = a.v / b.v;
  return {q, (a.d - q * b.d) / b.v};
}
inline LongDual log(const LongDual& a) { return {log(a.v), a.d / a.v}; }
inline LongDual exp(const LongDual& a) {
  const Long e = exp(a.v);
  return {e, e * a.d};
}

using LongMatrix = std::array<LongDual, 9>;

inline LongMatrix product(const LongMatrix& a, const LongMatrix& b) {
  LongMatrix c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
  return c;
}
inline LongDual sum_of_diagonal(const LongMatrix& a) { return a[0] + a[4] + a[8]; }

/// tr (I + X)^a by the binomial series, |X| < 1.
inline LongDual trace_of_power(const LongMatrix& X, const Long& a) {
  LongMatrix power = X;
  LongDual sum = 3, factor = a;
  for (int k = 1; k < 400; ++k) {
    const LongDual term = factor * sum_of_diagonal(power);
    sum = sum + term;
    Long size = 0;
    for (const LongDual& e : power) size = std::max(size, Long(abs(e.v) + abs(e.d)));
    if (size < 1e-75) break;
    power = product(power, X);
    factor = factor * LongDual((a - k) / (k + 1));
  }
  return sum;
}

/// Power series in x of log(1 + exp(s (l − c))), whose argument l = (1 + x)^power, a stretch or its inverse.
inline std::vector<Long> soft_knee_series(const Long& s, const Long& c, const Long& power, int length) {
  std::vector<Long> l(length), e(length), f(length);
  l[0] = 1;
  for (int k = 1; k < length; ++k) l[k] = l[k - 1] * (power - (k - 1)) / k;
  const Long grown = exp(s * (1 - c));
  e[0] = grown;  // the exponential of the argument: e′ = s l′ e
  for (int k = 1; k < length; ++k) {
    Long sum = 0;
    for (int j = 1; j <= k; ++j) sum += j * l[j] * e[k - j];
    e[k] = s * sum / k;
  }
  f[0] = log(1 + grown);  // f′ (1 + e) = e′
  for (int k = 1; k < length; ++k) {
    Long sum = k * e[k];
    for (int j = 1; j < k; ++j) sum -= j * f[j] * e[k - j];
    f[k] = sum / (k * (1 + grown));
  }
  return f;
}

/// The energy of a law by its textbook formula in I1, I2, J and powers of C, from F = I + H, with p the parameters of
/// the whole law or of its isochoric part (`isochoric`).
inline LongDual textbook_energy(std::string_view name, bool isochoric, const LongMatrix& H, const std::vector<double>& q) {
  std::vector<LongDual> p(q.begin(), q.end());
  const auto lame = [&] { return p[0] * p[1] / ((1 + p[1]) * (1 - 2 * p[1])); };
  const auto shear = [&] { return isochoric ? p[0] / 3 : p[0] / (2 * (1 + p[1])); };
  if (name == "linear_elastic" || name == "orthotropic") {
    LongMatrix e;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) e[3 * i + j] = (H[3 * i + j] + H[3 * j + i]) / 2;
    const LongDual trace = sum_of_diagonal(e);
    if (name == "linear_elastic") {
      const LongDual squared = sum_of_diagonal(product(e, e));
      return isochoric ? shear() * (squared - trace * trace / 3) : lame() / 2 * trace * trace + shear() * squared;
    }
    // Isochoric: Poisson's ratios by which no pull changes the volume, on the strain's deviator, by two components.
    if (isochoric) {
      const LongDual s11 = 1 / p[0], s22 = 1 / p[1], s12 = -(s11 + s22 - 1 / p[2]) / 2;
      const LongDual x = e[0] - trace / 3, y = e[4] - trace / 3;
      return (s22 * x * x - 2 * s12 * x * y + s11 * y * y) / (2 * (s11 * s22 - s12 * s12)) +
             2 * (p[3] * e[1] * e[1] + p[4] * e[5] * e[5] + p[5] * e[2] * e[2]);
    }
    // Strains to stresses by elimination in S σ = ε over the normal components.
    LongDual S[3][4] = {{1 / p[0], -p[3] / p[0], -p[5] / p[0], e[0]},
                        {-p[3] / p[0], 1 / p[1], -p[4] / p[1], e[4]},
                        {-p[5] / p[0], -p[4] / p[1], 1 / p[2], e[8]}};
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) {
        if (i == k) continue;
        const LongDual ratio = S[i][k] / S[k][k];
        for (int j = 0; j < 4; ++j) S[i][j] = S[i][j] - ratio * S[k][j];
      }
    LongDual W = 0;
    for (int k = 0; k < 3; ++k) W = W + S[k][3] / S[k][k] * e[4 * k] / 2;
    return W + 2 * (p[6] * e[1] * e[1] + p[7] * e[5] * e[5] + p[8] * e[2] * e[2]);
  }

  LongMatrix F = H;
  for (int k = 0; k < 9; k += 4) F[k] = F[k] + 1;
  const LongDual J = F[0] * (F[4] * F[8] - F[5] * F[7]) + F[1] * (F[5] * F[6] - F[3] * F[8]) +
                     F[2] * (F[3] * F[7] - F[4] * F[6]);
  const LongMatrix Ft{F[0], F[3], F[6], F[1], F[4], F[7], F[2], F[5], F[8]}, C = product(Ft, F);
  const LongDual I1 = sum_of_diagonal(C), log_j = log(J), shrink = exp(-2 * log_j / 3);
  if (!isochoric && name == "neo_hookean")
    return shear() / 2 * (I1 - 3) - shear() * log_j + lame() / 2 * log_j * log_j;
  LongMatrix E = C;  // of the isochoric part: made of C̄
  for (LongDual& e : E) e = isochoric ? shrink * e : e;
  for (int k = 0; k < 9; k += 4) E[k] = E[k] - 1;
  for (LongDual& e : E) e = e / 2;
  if (name == "saint_venant_kirchhoff") {
    const LongDual trace = sum_of_diagonal(E), squared = sum_of_diagonal(product(E, E));
    return isochoric ? shear() * squared : lame() / 2 * trace * trace + shear() * squared;
  }
  const LongDual i1 = shrink * I1, i2 = shrink * shrink * (I1 * I1 - sum_of_diagonal(product(C, C))) / 2;
  const LongDual volumetric = isochoric ? LongDual(0) : p.back() / 2 * (J - 1) * (J - 1);
  if (name == "neo_hookean") return p[0] / 6 * (i1 - 3);
  if (name == "neo_hookean_isochoric") return p[0] / 2 * (i1 - 3) + volumetric;
  if (name == "mooney_rivlin") return p[0] * (i1 - 3) + p[1] * (i2 - 3) + volumetric;
  if (name == "yeoh")
    return p[0] * (i1 - 3) + p[1] * (i1 - 3) * (i1 - 3) + p[2] * (i1 - 3) * (i1 - 3) * (i1 - 3) + volumetric;
  if (name == "gent") return -p[0] * p[1] / 2 * log(1 - (i1 - 3) / p[1]) + volumetric;
  if (name == "arruda_boyce") {
    const LongDual a[] = {LongDual(1) / 2, LongDual(1) / 20, LongDual(11) / 1050, LongDual(19) / 7000,
                          LongDual(519) / 673750};
    LongDual W = volumetric, power = i1, at_rest = 3, scale = p[0];
    for (const LongDual& factor : a) {
      W = W + scale * factor * (power - at_rest);
      power = power * i1, at_rest = at_rest * 3, scale = scale / (p[1] * p[1]);
    }
    return W;
  }
  if (name == "corotated") {  // Σ (l − 1)² = tr C − 2 tr √C + 3
    LongMatrix X;
    for (int k = 0; k < 9; ++k) X[k] = 2 * E[k];
    const LongDual squared = sum_of_diagonal(X) + 6 - 2 * trace_of_power(X, Long(1) / 2);
    return isochoric ? shear() * squared : shear() * squared + lame() / 2 * (J - 1) * (J - 1);
  }
  if (name == "hencky") {  // ¼ tr ln² C = ½ Σ_k (−1)ᵏ H_{k−1}/k tr Xᵏ, k ≥ 2, X = C − I
    LongMatrix X;
    for (int k = 0; k < 9; ++k) X[k] = 2 * E[k];
    LongMatrix power = product(X, X);
    LongDual W = 0;
    Long harmonic = 1;
    for (int k = 2; k < 400; power = product(power, X), harmonic += Long(1) / k, ++k) {
      Long size = 0;
      for (const LongDual& e : power) size = std::max(size, Long(abs(e.v) + abs(e.d)));
      W = W + LongDual((k % 2 ? -harmonic : harmonic) / (2 * k)) * sum_of_diagonal(power);
      if (size < 1e-75) break;
    }
    return isochoric ? shear() * W : shear() * W + lame() / 2 * log_j * log_j;
  }
  const auto direction = [&](std::size_t k) {  // of the angles k and k + 1
    const Long degree = boost::math::constants::pi<Long>() / 180, a = p[k].v * degree, b = p[k + 1].v * degree;
    return std::array<Long, 3>{cos(a) * cos(b), sin(a) * cos(b), sin(b)};
  };
  if (name == "transversely_isotropic") {
    // Engineering strains in the axes of the fibres, by any two vectors across them.
    const auto a = direction(isochoric ? 3 : 5);
    const Long level = sqrt(Long(a[0] * a[0] + a[1] * a[1]));
    const std::array<Long, 3> b{-a[1] / level, a[0] / level, 0}, c{-a[2] * b[1], a[2] * b[0], level};
    const auto strain = [&](const std::array<Long, 3>& u, const std::array<Long, 3>& v) {
      LongDual sum = 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) sum = sum + LongDual(u[i] * v[j]) * E[3 * i + j];
      return sum;
    };
    const LongDual e1 = strain(a, a), e2 = strain(b, b), e3 = strain(c, c), e12 = strain(a, b), e13 = strain(a, c), e23 = strain(b, c);
    const LongDual G = p[isochoric ? 2 : 4];
    if (isochoric) {
      const LongDual shear = p[1] / (2 * (2 - p[1] / p[0] / 2));
      return (p[0] - shear) / 2 * e1 * e1 + shear * (e2 * e2 + e3 * e3 + 2 * e23 * e23) + 2 * G * (e12 * e12 + e13 * e13);
    }
    const LongDual n = p[1] / p[0], D = 1 - p[3] - 2 * n * p[2] * p[2];
    const LongDual c11 = p[0] * (1 - p[3]) / D, c12 = p[1] * p[2] / D, c22 = p[1] * (1 - n * p[2] * p[2]) / ((1 + p[3]) * D),
                   c23 = p[1] * (p[3] + n * p[2] * p[2]) / ((1 + p[3]) * D);
    return (c11 * e1 * e1 + c22 * (e2 * e2 + e3 * e3)) / 2 + c12 * e1 * (e2 + e3) + c23 * e2 * e3 +
           p[1] / (1 + p[3]) * e23 * e23 + 2 * G * (e12 * e12 + e13 * e13);
  }
  if (name == "holzapfel_gasser_ogden") {
    const std::size_t families = p.size() / 5;
    LongDual W = volumetric + p[5 * families] / 2 * (i1 - 3);
    for (std::size_t k = 0; k < 5 * families; k += 5) {
      const auto a = direction(k + 3);
      LongDual i4 = 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) i4 = i4 + LongDual(a[i] * a[j]) * shrink * C[3 * i + j];
      const LongDual strain = p[k + 2] * (i1 - 3) + (1 - 3 * p[k + 2]) * (i4 - 1), x = strain / LongDual(0.01);
      if (strain.v <= 0) continue;
      const LongDual x4 = x * x * x * x, toe = LongDual(0.01) * LongDual(0.01) * x4 * (10 - 20 * x + 15 * x * x - 4 * x * x * x);
      W = W + p[k] / (2 * p[k + 1]) * (exp(p[k + 1] * (x.v < 1 ? toe : strain * strain)) - 1);
    }
    return W;
  }
  if (name == "ogden") {
    LongMatrix X = C;
    for (LongDual& e : X) e = shrink * e;
    for (int k = 0; k < 9; k += 4) X[k] = X[k] - 1;
    LongDual W = volumetric;
    for (std::size_t k = 0; k + 1 < p.size(); k += 2)
      W = W + p[k] / p[k + 1] * (trace_of_power(X, p[k + 1].v / 2) - 3);
    return W;
  }
  if (name == "convex_network") {
    LongMatrix X = C;
    for (LongDual& e : X) e = shrink * e;
    for (int k = 0; k < 9; k += 4) X[k] = X[k] - 1;
    constexpr int length = 400;
    static std::map<std::vector<double>, std::vector<Long>> known;  // by the constants: it takes a while
    std::vector<Long>& series = known[q];
    const bool made = !series.empty();
    series.resize(length, 0);
    for (std::size_t k = 0; !made && k + 2 < p.size(); k += 3) {
      const std::vector<Long> knee = soft_knee_series(p[k + 1].v, p[k + 2].v, Long(k % 2 ? -1 : 1) / 2, length);
      for (int j = 1; j < length; ++j) series[j] += p[k].v / p[k + 1].v * knee[j];
    }
    LongMatrix power = X;
    LongDual W = volumetric;
    for (int j = 1; j < length; ++j, power = product(power, X)) {
      Long size = 0;
      for (const LongDual& e : power) size = std::max(size, Long(abs(e.v) + abs(e.d)));
      W = W + LongDual(series[j]) * sum_of_diagonal(power);
      if (size < 1e-75) break;
    }
    return W;
  }
  throw std::logic_error("no textbook formula for the law '" + std::string(name) + "': write it here");
}

}  // namespace invar::test
