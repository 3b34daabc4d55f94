import type { Row } from './row.ts'

const goModule = {
  'go.mod': 'module example.com/a\n\ngo 1.18\n',
  'a.go': 'package main\n\nimport "fmt"\n\nfunc sum(a, b int) int { return a + b }\n\nfunc main() { fmt.Println(sum(40, 2)) }\n',
  'a_test.go':
    'package main\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n\tdone := make(chan int)\n\tgo func() { done <- sum(40, 2) }()\n\tif <-done != 42 {\n\t\tt.Fatal()\n\t}\n}\n',
}

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
    name: 'Go: run of a program with a module',
    needs: ['go'],
    files: goModule,
    script: 'export GOPROXY=off; go build -o a .; ./a; gofmt -l .',
  },
  {
    name: 'Go: build, vet, fmt, run and test with the race detector',
    needs: ['go', 'gcc'],
    files: goModule,
    script: 'export GOPROXY=off; go build -o a .; ./a; go vet ./...; gofmt -l .; go test ./...; go test -race ./...',
    varies: /[\d.]+s$/,
  },
  {
    name: 'Cargo: a build script, a procedural macro, documentation, doc tests and an installation',
    needs: ['cargo', 'rustdoc', 'gcc'],
    files: {
      'Cargo.toml':
        '[workspace]\nmembers = ["m"]\n[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\nbuild = "build.rs"\n[dependencies]\nm = { path = "m" }\n[[example]]\nname = "e"\n',
      'build.rs':
        'use std::{env, fs, path::Path, process::Command};\nfn main() {\n    let out = env::var("OUT_DIR").unwrap();\n    fs::write(Path::new(&out).join("n.rs"), "pub const N: i32 = 42;").unwrap();\n    assert!(Command::new("gcc").arg("--version").output().unwrap().status.success());\n    println!("cargo:rerun-if-changed=build.rs");\n}\n',
      'src/lib.rs':
        'include!(concat!(env!("OUT_DIR"), "/n.rs"));\n/// Adds.\n/// ```\n/// assert_eq!(a::sum(40, 2), a::N);\n/// ```\npub fn sum(a: i32, b: i32) -> i32 { a + b }\n',
      'src/main.rs': '#[derive(m::Named)]\nstruct Thing;\nfn main() { println!("{} {}", Thing::name(), a::sum(40, 2)); }\n',
      'tests/t.rs': '#[test]\nfn threads() { assert_eq!(std::thread::spawn(|| a::sum(40, 2)).join().unwrap(), a::N); }\n',
      'examples/e.rs': 'fn main() { println!("{}", a::N); }\n',
      'm/Cargo.toml': '[package]\nname = "m"\nversion = "0.1.0"\nedition = "2021"\n[lib]\nproc-macro = true\n',
      'm/src/lib.rs':
        'use proc_macro::TokenStream;\n#[proc_macro_derive(Named)]\npub fn named(input: TokenStream) -> TokenStream {\n    let name = input.into_iter().nth(1).unwrap().to_string();\n    format!("impl {name} {{ fn name() -> &\'static str {{ \\"{name}\\" }} }}").parse().unwrap()\n}\n',
    },
    script: `export CARGO_INCREMENTAL=0; cargo check -q --offline; cargo test -q --offline 2>&1; cargo run -q --offline --example e
cargo doc -q --offline --no-deps; ls target/doc/a; cargo install -q --offline --path . --root out 2> /dev/null; out/bin/a; cargo build -q --offline --release; target/release/a`,
    varies: /finished in .*$/,
    byName: /^target|^out\/bin\/a$|^out\/\.crates/,
  },
  {
    name: 'Nim',
    needs: ['nim', 'gcc'],
    files: { 'a.nim': 'import b\necho sum(40, 2)\n', 'b.nim': 'proc sum*(a, b: int): int = a + b\ndoAssert sum(40, 2) == 42\n' },
    script: 'nim compile --hints:off --verbosity:0 -d:release --run a.nim; nim check --hints:off a.nim; ./a',
    byName: /^a$/,
  },
  {
    name: 'Crystal: init, build, run and spec',
    needs: ['crystal', 'git', 'gcc'],
    script: `git config --global user.name x; git config --global user.email x@example.com; crystal init app foo > /dev/null; cd foo; sed -i 's/false.should eq(true)/42.should eq(40 + 2)/' spec/foo_spec.cr
echo 'puts 40 + 2' >> src/foo.cr; crystal build --no-color -o foo src/foo.cr; ./foo; crystal run src/foo.cr; crystal spec --no-color; crystal tool format; git status --short`,
    varies: /^Finished in .*$/,
    byName: /^foo\/foo$/,
  },
  {
    name: 'D: ldc2 and gdc',
    needs: ['ldc2', 'ldmd2', 'gdc'],
    files: {
      'a.d':
        'import std.stdio, std.parallelism;\nint sum(int a, int b) { return a + b; }\nunittest { assert(sum(40, 2) == 42); }\nvoid main() { auto t = task!sum(40, 2); t.executeInNewThread(); writeln(t.yieldForce); }\n',
    },
    script: 'ldc2 -O a.d; ./a; ldmd2 -unittest -run a.d; gdc a.d -o g; ./g',
    byName: /^(a|g)(\.o)?$/,
  },
  {
    name: 'C# on Mono: a library, a program and a NuGet package',
    needs: ['mcs', 'mono', 'nuget'],
    files: {
      'B.cs': 'public class B { public static int Sum(int a, int b) { return a + b; } }\n',
      'A.cs':
        'using System.Threading.Tasks;\nclass A { static void Main() { System.Console.WriteLine(Task.Run(() => B.Sum(40, 2)).Result); } }\n',
      'b.nuspec':
        '<?xml version="1.0"?>\n<package><metadata><id>b</id><version>1.0.0</version><authors>a</authors><description>b</description></metadata><files><file src="B.dll" target="lib/net45"/></files></package>\n',
    },
    script: `export TMPDIR="$HOME/tmp"; mkdir "$TMPDIR"; mcs -target:library B.cs; mcs -r:B.dll A.cs; mono A.exe; nuget pack b.nuspec > /dev/null; mkdir feed; cp b.1.0.0.nupkg feed
nuget install b -Source "$PWD/feed" -OutputDirectory packages > /dev/null; ls packages/b.1.0.0/lib/net45`,
    byName: /\.(dll|exe|nupkg)$/,
  },
  {
    name: 'COBOL',
    needs: ['cobc', 'gcc'],
    files: {
      'A.cob':
        '       IDENTIFICATION DIVISION.\n       PROGRAM-ID. A.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n       01 N PIC 99.\n       PROCEDURE DIVISION.\n           ADD 40 2 GIVING N.\n           DISPLAY N.\n           STOP RUN.\n',
    },
    script: 'cobc -x A.cob; ./A; cobc -std=ibm -m A.cob; cobcrun A',
    byName: /^A(\.so)?$/,
  },
]
