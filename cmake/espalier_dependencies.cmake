# SPDX-License-Identifier: GPL-3.0-or-later
# Packages of the builder and the tools, found once so that every folder sees their targets. The runtime needs none.
find_package(CGAL 5.5 REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
if(ESPALIER_SANITIZE MATCHES thread)
  # ThreadSanitizer must see every synchronisation, and Debian's TBB is compiled without it: a stand-in of our own takes its place.
  add_library(TBB::tbb INTERFACE IMPORTED GLOBAL)
  find_package(Threads REQUIRED)
  set_target_properties(TBB::tbb PROPERTIES INTERFACE_LINK_LIBRARIES Threads::Threads
                        INTERFACE_COMPILE_OPTIONS "-I${PROJECT_SOURCE_DIR}/tests/parallel/tbb_stand_in")
else()
  find_package(TBB REQUIRED)
endif()
find_package(assimp REQUIRED)
find_package(draco REQUIRED)
find_package(meshoptimizer REQUIRED)
# A visibility that only its own build needs would be on the command line of every file of the builder.
set_property(TARGET meshoptimizer::meshoptimizer PROPERTY INTERFACE_COMPILE_DEFINITIONS)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(Boost REQUIRED COMPONENTS program_options)
