// A precompiled header belongs to a target: a target has a source, and a program a main().
int main() { return 0; }
