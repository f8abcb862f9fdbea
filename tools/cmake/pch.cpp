// The source of the target that builds the precompiled headers; a program also needs main().
int main() { return 0; }
