#pragma once
#include <Eigen/Dense>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace invar {

/// Serialises the fields of a state as doubles (an int must not be negative); arrays are preceded by their sizes.
class StateWriter {
 public:
  void operator()(double x) { out_.push_back(x); }
  void operator()(int i) { out_.push_back(i); }
  void operator()(const Eigen::VectorXd& x) {
    (*this)(static_cast<int>(x.size()));
    out_.insert(out_.end(), x.begin(), x.end());
  }
  void operator()(const Eigen::MatrixXd& x) {
    (*this)(static_cast<int>(x.rows()));
    (*this)(static_cast<int>(x.cols()));
    out_.insert(out_.end(), x.data(), x.data() + x.size());
  }
  void operator()(const std::string& text) {
    (*this)(static_cast<int>(text.size()));
    for (const char c : text) out_.push_back(static_cast<unsigned char>(c));
  }
  /// A field that states of older versions end without.
  template <class T>
  void newer(const T& field) {
    (*this)(field);
  }
  std::vector<double> take() { return std::move(out_); }

 private:
  std::vector<double> out_;
};

/// Reads what StateWriter wrote, in the same order. Throws std::invalid_argument if the numbers cannot be such a state.
class StateReader {
 public:
  explicit StateReader(const std::vector<double>& in) : in_(in) {}

  void operator()(double& x) { x = *next(1); }
  void operator()(int& i) {
    const double x = *next(1);
    if (!(x >= 0 && x <= 2e9)) refuse();
    i = static_cast<int>(x);
  }
  void operator()(Eigen::VectorXd& x) {
    const Eigen::Index n = size();
    x = Eigen::Map<const Eigen::VectorXd>(next(n), n);
  }
  void operator()(Eigen::MatrixXd& x) {
    const Eigen::Index rows = size(), columns = size();
    x = Eigen::Map<const Eigen::MatrixXd>(next(rows * columns), rows, columns);
  }
  void operator()(std::string& text) {
    const Eigen::Index n = size();
    const double* first = next(n);
    text.clear();
    for (Eigen::Index i = 0; i < n; ++i) {
      if (!(first[i] >= 0 && first[i] < 256)) refuse();
      text += static_cast<char>(static_cast<unsigned char>(first[i]));
    }
  }
  /// A field that states of older versions end without: it keeps its value then.
  template <class T>
  void newer(T& field) {
    if (at_ != in_.size()) (*this)(field);
  }
  void end() const {
    if (at_ != in_.size()) refuse();
  }

 private:
  Eigen::Index size() {
    int n = 0;
    (*this)(n);
    return n;
  }
  const double* next(Eigen::Index count) {
    if (static_cast<std::size_t>(count) > in_.size() - at_) refuse();
    const double* first = in_.data() + at_;
    at_ += static_cast<std::size_t>(count);
    return first;
  }
  [[noreturn]] static void refuse() {
    throw std::invalid_argument("the saved state is not one of this optimiser");
  }

  const std::vector<double>& in_;
  std::size_t at_ = 0;
};

}  // namespace invar
