// What is believed of a few numbers, by guesses that may be wrong and by measurements that are noisy.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mineproof {

// A normal distribution over the worths of some moves, of which only the differences matter.
class Beliefs {
  public:
    // Each worth is about this, with an error of its own; how high they lie in all is not known.
    void begin(std::span<const double> means, double error);
    // The worths were measured, with errors of this covariance (row by row).
    void learn(std::span<const double> measured, std::span<const double> covariance);
    // What is measured from now on is something else: each worth differs by an error of its own, all of them together
    // by an unknown amount.
    void loosen(double error);
    // Leaves out those that are not kept.
    void keep(std::span<const std::size_t> kept);

    std::size_t count() const { return means_.size(); }
    std::span<const double> means() const { return means_; }
    // The error of the difference of two worths.
    double error(std::size_t one, std::size_t other) const;
    // By how much `one` is better than `other`, on average over what is believed, where it is better at all: what would
    // be gained by knowing.
    double gain(std::size_t one, std::size_t other) const;

  private:
    double& variance(std::size_t row, std::size_t column) { return variances_[row * count() + column]; }
    double variance(std::size_t row, std::size_t column) const { return variances_[row * count() + column]; }
    void factor(std::span<const double> noise);
    void solve(std::span<double> values) const;

    std::vector<double> means_, variances_;
    std::vector<double> factor_;  // lower triangle whose product with its transpose is variances and noise
};

}  // namespace mineproof
