# Composes a plugin's manifest and the assembler file that embeds it. Run at build time:
#
#   cmake -DNAME=… -DMANIFEST=manifest.json -DSCHEMAS=dir-or-empty -DOUTPUT=composed.json
#         -DASSEMBLY=note.s -P GantryManifestNote.cmake
#
# Texts are joined, never parsed and printed again: clients see the author's schemas byte by byte.
# CMake's JSON functions are used to check only.
cmake_minimum_required(VERSION 3.25)

function(fail_with text)
  message(FATAL_ERROR "plugin ${NAME}: ${text}")
endfunction()

# Reads `file`, fails unless it is JSON of type `type`, returns its text without outer white space.
function(read_json file type out)
  file(READ ${file} text)
  string(STRIP "${text}" text)
  string(JSON actual ERROR_VARIABLE problem TYPE "${text}")
  if(problem)
    fail_with("${file} is not JSON: ${problem}")
  elseif(NOT actual STREQUAL type)
    fail_with("${file} holds a JSON ${actual}; expected ${type}")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# The tools to take schemas of: those the manifest lists, or all files when it lists none.
function(tools_of manifest out)
  set(tools "")
  string(JSON kind ERROR_VARIABLE ignored TYPE "${manifest}" items)
  if(kind STREQUAL "ARRAY")
    string(JSON count LENGTH "${manifest}" items)
    set(index 0)
    while(index LESS count)
      string(JSON item_kind ERROR_VARIABLE ignored GET "${manifest}" items ${index} kind)
      string(JSON item_name ERROR_VARIABLE ignored GET "${manifest}" items ${index} name)
      string(JSON inline ERROR_VARIABLE no_inline TYPE "${manifest}" items ${index} inputSchema)
      if(item_kind STREQUAL "tool")
        list(APPEND tools ${item_name})
        if(no_inline AND NOT EXISTS "${SCHEMAS}/${item_name}.input.schema.json")
          fail_with("tool '${item_name}' has no input schema: write \
'${item_name}.input.schema.json' in the folder given as SCHEMAS (now '${SCHEMAS}'), or \
\"inputSchema\" in the manifest")
        endif()
      endif()
      math(EXPR index "${index} + 1")
    endwhile()
  elseif(SCHEMAS)
    file(GLOB files RELATIVE ${SCHEMAS} ${SCHEMAS}/*.input.schema.json)
    list(SORT files)
    foreach(file IN LISTS files)
      string(REGEX REPLACE "\\.input\\.schema\\.json$" "" tool ${file})
      list(APPEND tools ${tool})
    endforeach()
  endif()
  set(${out} "${tools}" PARENT_SCOPE)
endfunction()

read_json(${MANIFEST} OBJECT manifest)
string(JSON declared ERROR_VARIABLE problem GET "${manifest}" name)
if(NOT declared STREQUAL NAME)
  fail_with("${MANIFEST} says \"name\": \"${declared}\"; gantry_add_plugin(${NAME} …) needs the same \
name in both")
endif()

set(schemas "")
if(SCHEMAS)
  tools_of("${manifest}" tools)
  foreach(tool IN LISTS tools)
    set(pair "")
    foreach(side input output)
      set(file "${SCHEMAS}/${tool}.${side}.schema.json")
      if(EXISTS ${file})
        read_json(${file} OBJECT text)
        if(pair)
          string(APPEND pair ",")
        endif()
        string(APPEND pair "\"${side}\":${text}")
      endif()
    endforeach()
    if(pair)
      if(schemas)
        string(APPEND schemas ",\n")
      endif()
      string(APPEND schemas "\"${tool}\":{${pair}}")
    endif()
  endforeach()
else()
  tools_of("${manifest}" tools)
endif()

if(schemas)
  string(JSON taken ERROR_VARIABLE absent TYPE "${manifest}" schemas)
  if(NOT absent)
    fail_with("${MANIFEST} has a member \"schemas\" and SCHEMAS is given too; use one of them")
  endif()
  string(LENGTH "${manifest}" length)
  math(EXPR length "${length} - 1")
  string(SUBSTRING "${manifest}" 0 ${length} body)
  string(STRIP "${body}" body)
  set(manifest "${body},\n\"schemas\":{${schemas}}}")
endif()

string(LENGTH "${manifest}" size)
if(size GREATER 4194304)
  fail_with("the composed manifest has ${size} bytes; at most 4194304 (4 MiB) are allowed")
endif()
file(WRITE ${OUTPUT} "${manifest}\n")
file(WRITE ${ASSEMBLY} "\t.section .note.gantry,\"a\",%note
\t.balign 4
\t.long 7
\t.long 2f - 1f
\t.long 1
\t.asciz \"GANTRY\"
\t.balign 4
1:\t.incbin \"${OUTPUT}\"
\t.balign 4
2:
\t.section .note.GNU-stack,\"\",%progbits
")
