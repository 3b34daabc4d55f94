import type { Row } from './row.ts'

const sum = { 'sum.h': 'int sum(int, int);\n', 'sum.c': '#include "sum.h"\nint sum(int a, int b) { return a + b; }\n' }
const main = {
  ...sum,
  'main.c': '#include <stdio.h>\n#include "sum.h"\nint main(void) { printf("%d\\n", sum(40, 2)); return sum(40, 2) != 42; }\n',
}
/** Runs the program, which must fail, and prints the kind of error that the sanitizer found. */
const finding = (compile: string, kind: string): string => `${compile}\n! ./a.out 2> found\ngrep -o '${kind}' found | head -n 1\nrm found`

export const c: readonly Row[] = [
  {
    name: 'gcc, ar and a shared library',
    needs: ['gcc', 'ar'],
    files: main,
    script: `gcc -O2 -g -Wall -c sum.c; ar rcs libsum.a sum.o; gcc main.c -L. -lsum -o static; ./static
gcc -shared -fPIC sum.c -o libsum.so; gcc main.c -L. -lsum -Wl,-rpath,. -o shared; ./shared; ldd shared | grep -o 'libsum.so => ./libsum.so'`,
  },
  {
    name: 'g++ with threads and exceptions',
    needs: ['g++'],
    files: {
      'a.cpp': `#include <iostream>
#include <stdexcept>
#include <thread>
int main() { int n = 0; std::thread t([&] { n = 42; }); t.join(); try { throw std::runtime_error("thrown"); } catch (const std::exception& e) { std::cout << e.what() << n << '\\n'; } }
`,
    },
    script: 'g++ -std=c++20 -pthread a.cpp; ./a.out',
  },
  {
    name: 'clang',
    needs: ['clang'],
    files: main,
    script: 'clang -O2 main.c sum.c; ./a.out',
  },
  {
    name: 'the address sanitizer',
    needs: ['gcc'],
    files: { 'a.c': '#include <stdlib.h>\nint main(void) { volatile char *p = malloc(4); p[4] = 1; return 0; }\n' },
    script: finding('gcc -g -fsanitize=address a.c', 'heap-buffer-overflow'),
  },
  {
    name: 'the leak sanitizer',
    needs: ['gcc'],
    files: { 'a.c': '#include <stdlib.h>\nvoid *volatile p;\nint main(void) { p = malloc(4); p = 0; return 0; }\n' },
    script: finding('gcc -g -fsanitize=leak a.c', 'detected memory leaks'),
  },
  {
    name: 'the thread sanitizer',
    needs: ['gcc'],
    files: {
      'a.c': `#include <pthread.h>
int n;
static void *add(void *p) { for (int i = 0; i < 1000; i++) n++; return p; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, add, 0); pthread_create(&b, 0, add, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }
`,
    },
    script: finding('gcc -g -fsanitize=thread a.c', 'data race'),
  },
  {
    name: 'the sanitizer of undefined behavior',
    needs: ['gcc'],
    files: { 'a.c': '#include <limits.h>\nint main(int c, char **v) { (void)v; int n = INT_MAX; return n + c != 0; }\n' },
    script: finding('gcc -fsanitize=undefined -fno-sanitize-recover a.c', 'signed integer overflow'),
  },
  {
    name: 'gcov',
    needs: ['gcc', 'gcov'],
    files: main,
    script: 'gcc --coverage -O0 main.c sum.c -o main; ./main; gcov main-sum.gcda | head -n 2',
    byName: /\.(gcda|gcno|gcov)$|^main$/,
  },
  {
    name: 'gfortran',
    needs: ['gfortran'],
    files: { 'a.f90': "program a\n  print '(I0)', 42\nend program\n" },
    script: 'gfortran a.f90; ./a.out',
  },
  {
    name: 'nasm and ld',
    needs: ['nasm', 'ld'],
    files: { 'a.asm': 'global _start\nsection .text\n_start: mov rax, 60\n mov rdi, 0\n syscall\n' },
    script: 'nasm -f elf64 a.asm; ld -o a a.o; ./a; echo "$?"',
  },
  {
    name: 'bison and flex',
    needs: ['bison', 'flex', 'm4', 'gcc'],
    files: {
      'a.y': `%{
#include <stdio.h>
int yylex(void); void yyerror(const char *e) { puts(e); }
%}
%token NUMBER
%left '+'
%%
input: sum { printf("%d\\n", $1); };
sum: NUMBER | sum '+' sum { $$ = $1 + $3; };
%%
int main(void) { return yyparse(); }
`,
      'a.l':
        '%{\n#include <stdlib.h>\n#include "a.tab.h"\n%}\n%option noyywrap nounput noinput\n%%\n[0-9]+ { yylval = atoi(yytext); return NUMBER; }\n[ \\n] ;\n. return *yytext;\n',
    },
    script: 'bison -d a.y; flex a.l; gcc a.tab.c lex.yy.c; echo "40 + 1 + 1" | ./a.out; echo "define(X, 42)X" | m4',
  },
  {
    name: 'gdb runs a program to a breakpoint',
    needs: ['gdb', 'gcc'],
    files: main,
    script:
      "gcc -g -O0 main.c sum.c; gdb -q -batch -ex 'break sum' -ex run -ex bt -ex 'print a + b' -ex continue ./a.out 2>/dev/null | grep -E '^#|^\\$|^42'",
  },
  {
    name: 'gdb attaches to a child',
    needs: ['gdb', 'gcc'],
    files: { 'a.c': '#include <unistd.h>\nint main(void) { for (;;) pause(); }\n' },
    script: `gcc -g a.c; ./a.out & child=$!
gdb -q -batch -p "$child" -ex bt 2>/dev/null | grep -o 'in main () at a.c:2' || attached=no; kill "$child"; [ -z "$attached" ]`,
  },
  {
    name: 'strace',
    needs: ['strace', 'gcc'],
    files: main,
    script: "gcc main.c sum.c; strace -f -o trace -e trace=write ./a.out; grep -o 'write(1.*' trace",
    byName: /^trace$/,
  },
  {
    name: 'valgrind',
    needs: ['valgrind', 'gcc'],
    files: { 'a.c': '#include <stdlib.h>\nvoid *volatile p;\nint main(void) { p = malloc(4); p = 0; return 0; }\n' },
    script:
      "gcc -g a.c; valgrind -q --leak-check=full --error-exitcode=3 ./a.out 2> found || echo $?; grep -o '4 bytes in 1 blocks are definitely lost' found; rm found",
  },
]
