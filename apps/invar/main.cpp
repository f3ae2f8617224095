#include "apps/invar/verbs/program.hpp"

int main(int argc, char** argv) { return invar::program(argc, argv); }
