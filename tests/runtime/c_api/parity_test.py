#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The parity check must be able to fail: each gap is noticed."""
import unittest

import parity

HEADER = """
namespace espalier {
struct View {
    double within = __builtin_huge_val();  // no method
    bool (*expired)(void* user) = nullptr;
    bool present() const { return twice(1) > 0; }
};
template <class Tree>
class Query {
    static_assert(Tree::has(1), "no");
  public:
    Query();
    Status begin(const View& a, double limit = __builtin_huge_val());
    const typename Tree::Found& contact() const;
  private:
    void hidden();
};
std::size_t scratch_size(const View& part);
}
"""


class Parity(unittest.TestCase):
    def test_public_methods_and_functions_are_found(self):
        self.assertEqual(set(parity.methods(HEADER)),
                         {"View::present", "Query::begin", "Query::contact", "scratch_size"})

    def test_a_method_without_a_row_is_a_gap(self):
        self.assertEqual(len(list(parity.gaps({"A::f"}, set(), {}))), 1)

    def test_a_row_without_a_method_is_a_gap(self):
        self.assertEqual(len(list(parity.gaps(set(), set(), {"A::f": []}))), 1)

    def test_a_function_that_does_not_exist_is_a_gap(self):
        self.assertEqual(len(list(parity.gaps({"A::f"}, set(), {"A::f": ["espalier_f"]}))), 1)

    def test_a_function_that_nobody_names_is_a_gap(self):
        self.assertEqual(len(list(parity.gaps(set(), {"espalier_f"}, {}))), 1)

    def test_no_gap_is_none(self):
        self.assertEqual(list(parity.gaps({"A::f"}, {"espalier_f"}, {"A::f": ["espalier_f"]})), [])


if __name__ == "__main__":
    unittest.main()
