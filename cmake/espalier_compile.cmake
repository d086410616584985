# SPDX-License-Identifier: GPL-3.0-or-later
# Compiler settings that every target shares.

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
  endif()
  find_program(ESPALIER_CCACHE ccache)
  if(ESPALIER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_C_COMPILER_LAUNCHER ${ESPALIER_CCACHE})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${ESPALIER_CCACHE})
  endif()
endif()

# Sets the language level, warnings and the floating-point contract of a target: no fused multiply-add unless
# written, so that every compiler and instruction set computes the same bits.
function(espalier_target target standard)
  target_compile_features(${target} PUBLIC cxx_std_${standard})
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE -ffp-contract=off -Wall -Wextra -Wpedantic)
  if(ESPALIER_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(ESPALIER_SANITIZE)
    # GCC warns of uninitialised values inside its own library when sanitizers are on.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_compile_options(${target} PUBLIC -fsanitize=${ESPALIER_SANITIZE} -fno-sanitize-recover=all
                                            -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${ESPALIER_SANITIZE})
  endif()
  if(ESPALIER_COVERAGE)
    target_compile_options(${target} PUBLIC --coverage -fprofile-update=atomic)
    target_link_options(${target} PUBLIC --coverage)
  endif()
endfunction()
