# SPDX-License-Identifier: GPL-3.0-or-later
# Installation: component "runtime" (MIT: library, headers, schema, package files) needs nothing of the builder's; component
# "builder" (GPL: library, headers, the command) comes on top. `cmake --install DIR --component runtime` ships the first alone.
include(CMakePackageConfigHelpers)

set(espalier_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/espalier)
set(espalier_generated_dir ${PROJECT_BINARY_DIR}/package)

install(TARGETS espalier_runtime EXPORT espalier_runtime_targets COMPONENT runtime
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY runtime/include/espalier DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT runtime
        FILES_MATCHING PATTERN "*.h")
install(EXPORT espalier_runtime_targets NAMESPACE espalier:: FILE espalier-runtime-targets.cmake
        DESTINATION ${espalier_package_dir} COMPONENT runtime)
install(FILES schema/espalier.fbs schema/FORMAT.md DESTINATION ${CMAKE_INSTALL_DATADIR}/espalier/schema COMPONENT runtime)
install(FILES LICENSES.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
install(FILES LICENSES/MIT.txt DESTINATION ${CMAKE_INSTALL_DOCDIR}/LICENSES COMPONENT runtime)

set(ESPALIER_BUILDER_HEADERS
  builder/bake.h
  builder/hierarchies.h
  builder/aabb/options.h
  builder/asset/asset_body.h
  builder/asset/atomic_file.h
  builder/asset/check.h
  builder/asset/describe.h
  builder/asset/open_asset.h
  builder/asset/touching_pairs.h
  builder/asset/volumes.h
  builder/base/finding.h
  builder/base/names.h
  builder/base/number_text.h
  builder/base/progress.h
  builder/base/result.h
  builder/base/revision.h
  builder/body/body_description.h
  builder/body/joint_names.h
  builder/body/name_pattern.h
  builder/body/scene_body.h
  builder/body/scene_parts.h
  builder/body/stored_parts.h
  builder/body/utf8.h
  builder/box/options.h
  builder/cell/options.h
  builder/clean/sanitize.h
  builder/clean/topology.h
  builder/hierarchy/check_item.h
  builder/hierarchy/description.h
  builder/hierarchy/hierarchy.h
  builder/hierarchy/query_method.h
  builder/hierarchy/tree_option.h
  builder/hierarchy/volumes.h
  builder/import/import.h
  builder/import/memory_mesh.h
  builder/import/polygon_soup.h
  builder/import/provenance.h
  builder/import/scene.h
  builder/import/text_scan.h
  builder/sphere/options.h
  builder/surface/solid_kind.h
  builder/surface/triangle_mesh.h)

if(ESPALIER_BUILDER)
  install(TARGETS espalier_builder EXPORT espalier_builder_targets COMPONENT builder
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT espalier_builder_targets NAMESPACE espalier:: FILE espalier-builder-targets.cmake
          DESTINATION ${espalier_package_dir} COMPONENT builder)
  install(FILES LICENSES/GPL-3.0-or-later.txt DESTINATION ${CMAKE_INSTALL_DOCDIR}/LICENSES COMPONENT builder)
  # The builder's public headers: baking with its options and reports, and what is asked of a baked file. tests/layers lists
  # the same for the tools and examples, which use no others.
  foreach(header ${ESPALIER_BUILDER_HEADERS})
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/espalier-builder/${folder} COMPONENT builder)
  endforeach()
endif()
if(TARGET espalier)
  install(TARGETS espalier COMPONENT builder RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(cmake/espalier-config.cmake.in ${espalier_generated_dir}/espalier-config.cmake
                              INSTALL_DESTINATION ${espalier_package_dir})
# Below 1.0 a minor version may break the API, so a package of another one is not taken.
write_basic_package_version_file(${espalier_generated_dir}/espalier-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${espalier_generated_dir}/espalier-config.cmake ${espalier_generated_dir}/espalier-config-version.cmake
        DESTINATION ${espalier_package_dir} COMPONENT runtime)

# A prefix given at install time is found through the file's own place, so that the tree may be moved.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(espalier_pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH espalier_pc_up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" espalier_pc_up ${espalier_pc_up})
  set(espalier_pc_prefix "\${pcfiledir}/${espalier_pc_up}")
endif()
set(espalier_pc_cflags "")
if(NOT ESPALIER_SIMD)
  set(espalier_pc_cflags " -DESPALIER_NO_SIMD")
endif()
configure_file(cmake/espalier-runtime.pc.in ${espalier_generated_dir}/espalier-runtime.pc @ONLY)
install(FILES ${espalier_generated_dir}/espalier-runtime.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT runtime)
