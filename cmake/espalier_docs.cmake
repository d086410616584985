# SPDX-License-Identifier: GPL-3.0-or-later
# `cmake --build DIR --target docs`: pages of the interface in DIR/docs/html, made by Doxygen from the public headers.
find_program(ESPALIER_DOXYGEN doxygen)
if(ESPALIER_DOXYGEN)
  set(espalier_docs_dir ${PROJECT_BINARY_DIR}/docs)
  set(espalier_docs_input \"${PROJECT_SOURCE_DIR}/runtime/include/espalier\")
  foreach(header ${ESPALIER_BUILDER_HEADERS})
    string(APPEND espalier_docs_input " \"${PROJECT_SOURCE_DIR}/${header}\"")
  endforeach()
  configure_file(docs/Doxyfile.in ${espalier_docs_dir}/Doxyfile @ONLY)
  add_custom_target(docs COMMAND ${ESPALIER_DOXYGEN} ${espalier_docs_dir}/Doxyfile
                    COMMENT "Pages of the interface: ${espalier_docs_dir}/html/index.html" VERBATIM)
endif()
