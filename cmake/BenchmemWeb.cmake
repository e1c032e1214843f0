# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# HTML pages, each one file with all that it needs. Their parts come from npm,
# pinned by tools/web/package-lock.json, when the build is configured; nothing
# of them is in this repository. Without npm the commands are built without
# pages, and say so when one is asked for.
#
# benchmem_add_page(TARGET NAME): builds the page of tools/web/NAME into the
# library TARGET, which finds it as bm_page_NAME of tools/page.h.
# benchmem_add_script(TARGET NAME): the same for tools/web/NAME/NAME.js, as a
# script for Node.
option(BENCHMEM_WEB "Build the HTML pages (needs npm)" ON)

set(BENCHMEM_WEB_SOURCE ${PROJECT_SOURCE_DIR}/tools/web)
set(BENCHMEM_WEB_BINARY ${PROJECT_BINARY_DIR}/web)

# benchmem_npm_ci(SOURCE BINARY WHY): the packages that SOURCE/package-lock.json
# pins, in BINARY/node_modules. WHY is why there are none, else empty.
function(benchmem_npm_ci source binary why)
    set(${why} "" PARENT_SCOPE)
    find_program(BENCHMEM_NPM npm)
    find_program(BENCHMEM_NODE NAMES node nodejs)
    if(NOT BENCHMEM_NPM OR NOT BENCHMEM_NODE)
        set(${why} "npm is not installed" PARENT_SCOPE)
        return()
    endif()

    set(lock ${source}/package-lock.json)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lock})
    file(SHA256 ${lock} wanted)
    if(EXISTS ${binary}/fetched)
        file(READ ${binary}/fetched fetched)
        if(fetched STREQUAL wanted)
            return()
        endif()
    endif()
    message(STATUS "Fetching with npm what ${lock} pins")
    file(COPY ${lock} ${source}/package.json DESTINATION ${binary})
    execute_process(
        COMMAND ${BENCHMEM_NPM} ci --ignore-scripts --no-audit --no-fund
        WORKING_DIRECTORY ${binary}
        OUTPUT_FILE ${binary}/npm.log ERROR_FILE ${binary}/npm.log
        RESULT_VARIABLE failed)
    if(failed)
        set(${why} "npm could not fetch their parts, see ${binary}/npm.log"
            PARENT_SCOPE)
        return()
    endif()
    file(WRITE ${binary}/fetched ${wanted})
endfunction()

# BENCHMEM_NO_WEB: why there are no pages; empty if there are.
if(BENCHMEM_WEB)
    benchmem_npm_ci(${BENCHMEM_WEB_SOURCE} ${BENCHMEM_WEB_BINARY} no_web)
else()
    set(no_web "BENCHMEM_WEB is off")
endif()
set(BENCHMEM_NO_WEB "${no_web}" CACHE INTERNAL "")
if(BENCHMEM_NO_WEB)
    message(NOTICE "-- No HTML pages: ${BENCHMEM_NO_WEB}; commands write the \
other formats")
endif()

# Puts FILE, made by COMMAND... from DEPENDS..., into target as bm_page_NAME.
function(benchmem_embed target name file)
    cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "COMMAND;DEPENDS")
    set(embedded ${BENCHMEM_WEB_BINARY}/page_${name}.c)
    set(symbol bm_page_${name})
    if(BENCHMEM_NO_WEB)
        file(CONFIGURE OUTPUT ${embedded} @ONLY CONTENT
"#include \"tools/page.h\"
const struct bm_page @symbol@ = {\"\", 0};
")
        target_sources(${target} PRIVATE ${embedded})
        return()
    endif()

    add_custom_command(OUTPUT ${file} COMMAND ${BENCHMEM_NODE} ${arg_COMMAND}
        DEPENDS ${arg_DEPENDS} ${BENCHMEM_WEB_SOURCE}/bundle.mjs
            ${BENCHMEM_WEB_BINARY}/fetched
        COMMENT "Making ${file}" VERBATIM)
    file(CONFIGURE OUTPUT ${embedded} @ONLY CONTENT
"#include \"tools/page.h\"
__asm__(\".section .rodata\\n\"
        \"@symbol@_begin:\\n\"
        \".incbin \\\"@file@\\\"\\n\"
        \"@symbol@_end:\\n\"
        \".byte 0\\n\"
        \".previous\\n\");
extern const char @symbol@_begin[], @symbol@_end[];
const struct bm_page @symbol@ = {@symbol@_begin, @symbol@_end};
")
    set_source_files_properties(${embedded} PROPERTIES OBJECT_DEPENDS ${file})
    target_sources(${target} PRIVATE ${embedded} ${file})
endfunction()

function(benchmem_add_page target name)
    set(page ${BENCHMEM_WEB_BINARY}/${name}.html)
    file(GLOB parts CONFIGURE_DEPENDS ${BENCHMEM_WEB_SOURCE}/${name}/*)
    benchmem_embed(${target} ${name} ${page}
        COMMAND ${BENCHMEM_WEB_SOURCE}/build.mjs
            ${BENCHMEM_WEB_BINARY}/node_modules ${BENCHMEM_WEB_SOURCE}/${name}
            ${page}
        DEPENDS ${parts} ${BENCHMEM_WEB_SOURCE}/build.mjs)
endfunction()

function(benchmem_add_script target name)
    set(script ${BENCHMEM_WEB_BINARY}/${name}.mjs)
    set(module ${BENCHMEM_WEB_SOURCE}/${name}/${name}.js)
    benchmem_embed(${target} ${name} ${script}
        COMMAND ${BENCHMEM_WEB_SOURCE}/script.mjs
            ${BENCHMEM_WEB_BINARY}/node_modules ${module} ${script}
        DEPENDS ${module} ${BENCHMEM_WEB_SOURCE}/script.mjs)
endfunction()
