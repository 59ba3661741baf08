#include "cli/program.h"

int main(int argc, char** argv) { return warpsieve::program_main(argc, argv); }
