import type { Row } from './row.ts'

export const compiled: readonly Row[] = [
  {
    name: 'Cargo: build, test and run of a workspace',
    needs: ['cargo', 'gcc'],
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["a", "b"]\nresolver = "2"\n',
      'a/Cargo.toml': '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nb = { path = "../b" }\n',
      'a/src/main.rs': 'fn main() { println!("{}", b::sum(40, 2)); }\n',
      'b/Cargo.toml': '[package]\nname = "b"\nversion = "0.1.0"\nedition = "2021"\n',
      'b/src/lib.rs': 'pub fn sum(a: i32, b: i32) -> i32 { a + b }\n#[test]\nfn sums() { assert_eq!(sum(40, 2), 42); }\n',
    },
    script:
      'export CARGO_INCREMENTAL=0; cargo build -q --offline; cargo test -q --offline -p b --lib; cargo run -q --offline; cargo package -q --offline --allow-dirty --no-verify -p b',
    varies: /finished in .*$/,
    byName: /^target/,
  },
  {
    name: 'rustc',
    needs: ['rustc', 'gcc'],
    files: { 'a.rs': 'fn main() { println!("{}", std::thread::spawn(|| 42).join().unwrap()); }\n' },
    script: 'rustc -O a.rs; ./a',
  },
  {
    name: 'Go: build, vet, fmt, run and test with the race detector',
    needs: ['go', 'gcc'],
    files: {
      'go.mod': 'module example.com/a\n\ngo 1.18\n',
      'a.go': 'package main\n\nimport "fmt"\n\nfunc sum(a, b int) int { return a + b }\n\nfunc main() { fmt.Println(sum(40, 2)) }\n',
      'a_test.go':
        'package main\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n\tdone := make(chan int)\n\tgo func() { done <- sum(40, 2) }()\n\tif <-done != 42 {\n\t\tt.Fatal()\n\t}\n}\n',
    },
    script: 'export GOPROXY=off; go build -o a .; ./a; go vet ./...; gofmt -l .; go test ./...; go test -race ./...',
    varies: /[\d.]+s$/,
  },
  {
    name: 'Java: javac, jar, java and jshell',
    needs: ['javac', 'jar', 'java', 'jshell'],
    files: {
      'src/a/A.java':
        'package a;\npublic class A { public static void main(String[] a) throws Exception { var t = new Thread(() -> System.out.println(40 + 2)); t.start(); t.join(); } }\n',
    },
    script: `javac -d out src/a/A.java; jar --create --file a.jar --main-class a.A -C out .; java -jar a.jar
echo 'System.out.println(6*7)' | jshell -J-Duser.home="$HOME" -R-Duser.home="$HOME" -s -`,
    byName: /\.jar$/,
  },
  {
    name: 'Maven without plugins',
    needs: ['mvn'],
    files: {
      'pom.xml':
        '<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version><packaging>pom</packaging></project>\n',
    },
    script: "export MAVEN_OPTS=-Duser.home=$HOME; mvn -o -q validate; mvn -v | head -n 1 | grep -o 'Apache Maven'",
  },
  {
    name: 'ocamlfind and dune',
    needs: ['ocamlfind', 'dune'],
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
]
