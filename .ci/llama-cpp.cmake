# Read by CMake when `make llama` compiles llama.cpp: its library for command lines, which Python never loads, would
# take longer than all the rest.
set(LLAMA_BUILD_COMMON OFF)
