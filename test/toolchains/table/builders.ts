import type { Row } from './row.ts'

const source = { 'main.c': '#include <stdio.h>\nint main(void) { puts("built"); return 0; }\n' }

export const builders: readonly Row[] = [
  {
    name: 'make with a job server',
    needs: ['make', 'gcc'],
    files: {
      ...source,
      Makefile:
        'all: main a b\nmain: main.c\n\t$(CC) -o $@ $<\na b:\n\techo $@ > $@\ntest: all\n\t./main\n\t$(MAKE) -C . clean\nclean:\n\trm -f a b\n',
    },
    script: 'make -j4 -O test | sort; make -q main',
  },
  {
    name: 'CMake with CTest, make and Ninja',
    needs: ['cmake', 'make', 'ninja', 'gcc'],
    files: {
      ...source,
      'CMakeLists.txt':
        'cmake_minimum_required(VERSION 3.20)\nproject(a C)\nadd_executable(a main.c)\nenable_testing()\nadd_test(NAME runs COMMAND a)\ninstall(TARGETS a)\n',
    },
    script: `for each in "Unix Makefiles" Ninja; do
  cmake -S . -B "build $each" -G "$each" > /dev/null; cmake --build "build $each" > /dev/null; ctest --test-dir "build $each" | grep 'tests passed'
  cmake --install "build $each" --prefix out > /dev/null; out/bin/a
done`,
    byName: /^build/,
  },
  {
    name: 'Meson and Ninja',
    needs: ['meson', 'ninja', 'gcc'],
    files: { ...source, 'meson.build': "project('a', 'c')\na = executable('a', 'main.c')\ntest('runs', a)\n" },
    script: "meson setup build > /dev/null; meson compile -C build > /dev/null; meson test -C build | grep -E '^Ok:'; build/a",
    byName: /^build/,
  },
  {
    name: 'Autotools: autoreconf, configure, make check and make dist',
    needs: ['autoreconf', 'automake', 'make', 'gcc'],
    files: {
      ...source,
      'configure.ac': 'AC_INIT([a],[1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n',
      'Makefile.am': 'bin_PROGRAMS = a\na_SOURCES = main.c\nTESTS = a\n',
    },
    script: "autoreconf -i 2> /dev/null; ./configure > /dev/null; make > /dev/null; make check | grep '# PASS'; make dist > /dev/null; ./a",
    byName: /^config\.(log|status)$|^autom4te\.cache|\.tar\.gz$|\.(log|trs)$/,
  },
  {
    name: 'ccache',
    needs: ['ccache', 'gcc'],
    files: source,
    script: "for each in 1 2; do ccache gcc -c main.c; done; ccache --print-stats | grep -E '^(direct_cache_hit|cache_miss)'",
  },
  {
    name: 'ant',
    needs: ['ant', 'javac'],
    files: {
      'build.xml':
        '<project default="run"><target name="run"><mkdir dir="out"/><javac srcdir="src" destdir="out" includeantruntime="false"/><java classname="A" classpath="out" fork="true"/></target></project>\n',
      'src/A.java': 'class A { public static void main(String[] a) { System.out.println("built"); } }\n',
    },
    script: "ant -q | grep -E 'built|SUCCESSFUL'",
  },
]
