// Beliefs: a Gaussian prior, and measurements with a known covariance (a Kalman update of a few numbers).

#include "mineproof/beliefs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mineproof/require.hpp"

namespace mineproof {
namespace {

// Variance of what all worths have in common: worths are about 1, so this says nothing about it.
constexpr double kUnknownLevel = 1;
// Added to the variance of each worth, so that the factoring never divides by what rounding leaves of a zero.
constexpr double kLeastVariance = 1e-12;

}  // namespace

void Beliefs::begin(std::span<const double> means, double error) {
    means_.assign(means.begin(), means.end());
    variances_.assign(count() * count(), 0);
    loosen(error);
}

void Beliefs::loosen(double error) {
    for (double& each : variances_) each += kUnknownLevel;
    for (std::size_t i = 0; i < count(); ++i) variance(i, i) += error * error + kLeastVariance;
}

void Beliefs::keep(std::span<const std::size_t> kept) {
    std::vector<double> means, variances;
    for (const std::size_t row : kept) {
        means.push_back(means_[row]);
        for (const std::size_t column : kept) variances.push_back(variance(row, column));
    }
    means_.swap(means);
    variances_.swap(variances);
}

void Beliefs::learn(std::span<const double> measured, std::span<const double> covariance) {
    const std::size_t n = count();
    MINEPROOF_REQUIRE(measured.size() == n && covariance.size() == n * n);
    factor(covariance);
    std::vector<double> surprise(n);
    for (std::size_t i = 0; i < n; ++i) surprise[i] = measured[i] - means_[i];
    solve(surprise);
    std::vector<double> weights(variances_);  // its row i: what is taken of the surprise by worth i
    for (std::size_t row = 0; row < n; ++row) {
        for (std::size_t i = 0; i < n; ++i) means_[row] += variance(row, i) * surprise[i];
        solve(std::span(weights).subspan(row * n, n));
    }
    const std::vector<double> before(variances_);
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = 0; column < n; ++column)
            for (std::size_t i = 0; i < n; ++i) variance(row, column) -= weights[row * n + i] * before[i * n + column];
}

// Cholesky's factor.
void Beliefs::factor(std::span<const double> noise) {
    const std::size_t n = count();
    factor_.assign(n * n, 0);
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = 0; column <= row; ++column) {
            double rest = variance(row, column) + noise[row * n + column];
            for (std::size_t i = 0; i < column; ++i) rest -= factor_[row * n + i] * factor_[column * n + i];
            factor_[row * n + column] =
                row == column ? std::sqrt(std::max(rest, kLeastVariance)) : rest / factor_[column * n + column];
        }
}

void Beliefs::solve(std::span<double> values) const {
    const std::size_t n = count();
    for (std::size_t row = 0; row < n; ++row) {
        for (std::size_t i = 0; i < row; ++i) values[row] -= factor_[row * n + i] * values[i];
        values[row] /= factor_[row * n + row];
    }
    for (std::size_t row = n; row-- > 0;) {
        for (std::size_t i = row + 1; i < n; ++i) values[row] -= factor_[i * n + row] * values[i];
        values[row] /= factor_[row * n + row];
    }
}

double Beliefs::error(std::size_t one, std::size_t other) const {
    return std::sqrt(std::max(variance(one, one) + variance(other, other) - 2 * variance(one, other), 0.0));
}

double Beliefs::gain(std::size_t one, std::size_t other) const {
    const double ahead = means_[one] - means_[other], error = this->error(one, other);
    if (error == 0) return std::max(ahead, 0.0);
    const double z = ahead / error;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    return error * density + ahead * std::erfc(-z / std::numbers::sqrt2) / 2;
}

}  // namespace mineproof
