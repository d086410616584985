# SPDX-License-Identifier: GPL-3.0-or-later
# Packages of the builder and the tools, found once so that every folder sees their targets. The runtime needs none.
find_package(CGAL 5.5 REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(TBB REQUIRED)
find_package(assimp REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(Boost REQUIRED COMPONENTS program_options)
