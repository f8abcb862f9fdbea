# gantry_templates(OUT_SOURCES): the files of sdk/template as a C++ source, so that `gantry` needs no
# installed files to make projects. CMake runs again when one of them changes.
function(gantry_templates out)
  set(rows "")
  foreach(language c cpp rust)
    set(root ${PROJECT_SOURCE_DIR}/sdk/template/${language})
    file(GLOB_RECURSE files RELATIVE ${root} CONFIGURE_DEPENDS ${root}/*)
    list(SORT files)
    foreach(file IN LISTS files)
      if(file MATCHES "^(build|target)/")  # what an author's tools left there
        continue()
      endif()
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${root}/${file})
      file(READ ${root}/${file} text)
      string(APPEND rows "    {\"${language}\", \"${file}\", R\"template(${text})template\"},\n")
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/templates.cpp @ONLY CONTENT [[
#include "tools/gantry/project/templates.hpp"
namespace gantry::cli {
std::span<const TemplateFile> template_files() {
  static constexpr TemplateFile kFiles[] = {
@rows@  };
  return kFiles;
}
}  // namespace gantry::cli
]])
  set(${out} ${CMAKE_CURRENT_BINARY_DIR}/templates.cpp PARENT_SCOPE)
endfunction()
