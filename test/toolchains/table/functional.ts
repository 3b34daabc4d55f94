import type { Row } from './row.ts'

export const functional: readonly Row[] = [
  {
    name: 'ocamlfind and dune',
    needs: ['ocamlfind', 'dune', 'ocamlc'],
    files: {
      'dune-project': '(lang dune 2.9)\n',
      'bin/dune': '(executable (name a) (libraries sum unix))\n',
      'bin/a.ml': 'let () = Printf.printf "%d\\n" (Sum.sum 40 2)\n',
      'lib/dune': '(library (name sum))\n',
      'lib/sum.ml': 'let sum a b = a + b\n',
      'test/dune': '(test (name t) (libraries sum))\n',
      'test/t.ml': 'let () = assert (Sum.sum 40 2 = 42); print_endline "tested"\n',
    },
    script:
      'dune build 2>&1; dune test 2>&1; dune exec bin/a.exe 2>/dev/null; ocamlfind ocamlopt -package unix -linkpkg lib/sum.ml -o sum; ./sum',
    byName: /^_build/,
  },
  {
    name: 'Erlang: erlc, erl and escript',
    needs: ['erlc', 'erl', 'escript'],
    files: {
      'a.erl': '-module(a).\n-export([sum/2]).\nsum(A, B) -> A + B.\n',
      's.escript': '#!/usr/bin/env escript\nmain(_) -> io:format("~p~n", [40 + 2]).\n',
    },
    script: `erlc a.erl; erl -noshell -eval 'io:format("~p~n", [a:sum(40, 2)]), halt().'; chmod +x s.escript; ./s.escript`,
    byName: /\.beam$/,
  },
  {
    name: 'Elixir: mix compile, test and escript',
    needs: ['mix'],
    files: {
      'mix.exs':
        'defmodule A.MixProject do\n  use Mix.Project\n  def project, do: [app: :a, version: "0.1.0", escript: [main_module: A], deps: []]\n  def application, do: []\nend\n',
      'lib/a.ex': 'defmodule A do\n  def sum(a, b), do: a + b\n  def main(_), do: IO.puts(sum(40, 2))\nend\n',
      'test/test_helper.exs': 'ExUnit.start()\n',
      'test/a_test.exs': 'defmodule ATest do\n  use ExUnit.Case\n  test "sums", do: assert(A.sum(40, 2) == 42)\nend\n',
    },
    script: 'mix compile; mix test --seed 0; mix escript.build; ./a; mix format --check-formatted lib/a.ex || true',
    varies: /^Finished in .*$/,
    byName: /^_build|^a$/,
  },
  {
    name: 'SBCL',
    needs: ['sbcl'],
    files: { 'a.lisp': '(defun main () (format t "~a~%" (+ 40 2)))\n' },
    script: `sbcl --non-interactive --load a.lisp --eval '(main)'; sbcl --non-interactive --load a.lisp --eval '(save-lisp-and-die "a" :toplevel (lambda () (main) (exit)) :executable t)' > /dev/null 2>&1; ./a`,
    byName: /^a$/,
  },
  {
    name: 'Guile',
    needs: ['guile'],
    files: { 'a.scm': '(display (+ 40 2))\n(newline)\n' },
    script: 'guile --no-auto-compile -s a.scm; guile a.scm 2> /dev/null',
  },
  {
    name: 'GHC, runghc and a shared library',
    needs: ['ghc', 'runghc', 'gcc'],
    files: {
      'A.hs':
        'import Control.Concurrent\nimport B\nmain :: IO ()\nmain = do { m <- newEmptyMVar; _ <- forkOS (putMVar m (total 40 2)); takeMVar m >>= print }\n',
      'B.hs': 'module B where\ntotal :: Int -> Int -> Int\ntotal = (+)\n',
    },
    script: "ghc -v0 -O -threaded A.hs -o a; ./a +RTS -N2; runghc A.hs; ghc -e 'total 40 2' B.hs",
    byName: /^a$/,
  },
  {
    name: 'Cabal offline: build, test, run and sdist',
    needs: ['cabal', 'ghc'],
    files: {
      'a.cabal':
        'cabal-version: 2.4\nname: a\nversion: 0.1.0.0\nlibrary\n  exposed-modules: B\n  build-depends: base\n  default-language: Haskell2010\nexecutable a\n  main-is: app/Main.hs\n  build-depends: base, a\n  default-language: Haskell2010\ntest-suite t\n  type: exitcode-stdio-1.0\n  main-is: test/T.hs\n  build-depends: base, a\n  default-language: Haskell2010\n',
      'B.hs': 'module B where\ntotal :: Int -> Int -> Int\ntotal = (+)\n',
      'app/Main.hs': 'import B\nmain :: IO ()\nmain = print (total 40 2)\n',
      'test/T.hs': 'import B\nimport System.Exit\nmain :: IO ()\nmain = if total 40 2 == 42 then exitSuccess else exitFailure\n',
    },
    script: `mkdir -p "$HOME/.cabal"; touch "$HOME/.cabal/config"; cabal build --offline -v0 all 2> /dev/null; cabal test --offline -v1 2> /dev/null | grep '1 of 1 test suites'; cabal run --offline -v0 a 2> /dev/null; cabal sdist -v0 2> /dev/null; ls dist-newstyle/sdist`,
    byName: /^dist-newstyle/,
  },
]
