import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { becoming, everyone, makeStage, paddock, type Stage } from '../support/cli.ts'

interface Tool {
  /** The files of the dependency, by version. */
  readonly dependency: (version: number) => Readonly<Record<string, string>>
  /** The files of the project. `at`: the directory of the dependency's repository. */
  readonly project: (at: string) => Readonly<Record<string, string>>
  /** Gets the dependency, prints its version, and keeps everything in the project. */
  readonly get: string
  /** Gets the newest version of the dependency, and prints it. */
  readonly update: string
  readonly ignored: readonly string[]
}

const tools: Readonly<Record<string, Tool>> = {
  cargo: {
    dependency: (version) => ({
      'Cargo.toml': '[package]\nname = "dep"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': `pub fn version() -> u32 { ${version} }\n`,
    }),
    project: (at) => ({
      'Cargo.toml': `[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\ndep = { git = "file://${at}", branch = "main" }\n`,
      'src/main.rs': 'fn main() { println!("version {}", dep::version()) }\n',
    }),
    get: 'export CARGO_HOME="$PWD/.cargo-home"; cargo -q run',
    update: 'export CARGO_HOME="$PWD/.cargo-home"; cargo -q update -p dep; cargo -q run',
    ignored: ['target', '.cargo-home', 'Cargo.lock'],
  },
  go: {
    dependency: (version) => ({
      'go.mod': 'module git.example/dep.git\n\ngo 1.18\n',
      'dep.go': `package dep\n\nfunc Version() int { return ${version} }\n`,
    }),
    project: () => ({
      'go.mod': 'module git.example/app\n\ngo 1.18\n',
      'main.go':
        'package main\n\nimport (\n\t"fmt"\n\tdep "git.example/dep.git"\n)\n\nfunc main() { fmt.Println("version", dep.Version()) }\n',
    }),
    get: '{go} go get git.example/dep.git@main; go run .',
    update: '{go} go get -u git.example/dep.git@main; go run .',
    ignored: ['.go', 'go.sum'],
  },
  mix: {
    dependency: (version) => ({
      'mix.exs': 'defmodule Dep.MixProject do\n  use Mix.Project\n  def project, do: [app: :dep, version: "0.1.0", deps: []]\nend\n',
      'lib/dep.ex': `defmodule Dep do\n  def version, do: ${version}\nend\n`,
    }),
    project: (at) => ({
      'mix.exs': `defmodule App.MixProject do\n  use Mix.Project\n  def project, do: [app: :app, version: "0.1.0", deps: [{:dep, git: "file://${at}", branch: "main"}]]\nend\n`,
      'lib/app.ex': 'defmodule App do\n  def main, do: IO.puts("version #{Dep.version()}")\nend\n',
    }),
    get: 'mix deps.get; mix run -e "App.main()"',
    update: 'mix deps.update dep; mix run -e "App.main()"',
    ignored: ['deps', '_build', 'mix.lock'],
  },
  bundler: {
    dependency: (version) => ({
      'dep.gemspec':
        'Gem::Specification.new { |s| s.name = "dep"; s.version = "0.1.0"; s.summary = "s"; s.authors = ["a"]; s.files = ["lib/dep.rb"] }\n',
      'lib/dep.rb': `module Dep\n  VERSION = ${version}\nend\n`,
    }),
    project: (at) => ({
      Gemfile: `gem "dep", git: "file://${at}", branch: "main"\n`,
      'app.rb': 'require "dep"\nputs "version #{Dep::VERSION}"\n',
    }),
    get: 'export BUNDLE_PATH="$PWD/vendor/bundle"; bundle install --quiet; bundle exec ruby app.rb',
    update: 'export BUNDLE_PATH="$PWD/vendor/bundle"; bundle update --quiet dep; bundle exec ruby app.rb',
    ignored: ['vendor', 'Gemfile.lock', '.bundle'],
  },
  cmake: {
    dependency: (version) => ({ 'CMakeLists.txt': `message(STATUS "version ${version}")\n` }),
    project: (at) => ({
      'CMakeLists.txt': `cmake_minimum_required(VERSION 3.16)\nproject(app NONE)\ninclude(FetchContent)\nFetchContent_Declare(dep GIT_REPOSITORY "file://${at}" GIT_TAG main)\nFetchContent_MakeAvailable(dep)\n`,
    }),
    get: 'cmake -S . -B build',
    update: 'cmake -S . -B build',
    ignored: ['build'],
  },
}

/** Go gets the repository at an address. Git in the cell replaces the address by the path. */
const forGo = (at: string): string =>
  `export GOPATH="$PWD/.go" GOMODCACHE="$PWD/.go/mod" GOCACHE="$PWD/.go/cache" GOFLAGS="-mod=mod -modcacherw" GOPROXY=direct GOPRIVATE="*"; git config --global url."file://${at}".insteadOf https://git.example/dep;`

function commit(stage: Stage, directory: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true })
    writeFileSync(path.join(directory, name), content)
  }
  stage.own()
  const script = 'git init -q -b main .; git add -A; git -c user.name=x -c user.email=x@example.com commit -qm one'
  const [program = 'sh', ...rest] = [...becoming(stage.who), 'sh', '-ec', script]
  execFileSync(program, rest, { cwd: directory, env: stage.env })
}

describe.each(everyone)('as %s, a dependency in a git repository', (who) => {
  test.each(Object.entries(tools))(
    '%s gets it in one cell and updates it in the next, and git on the host runs nothing',
    async (name, tool) => {
      using stage = makeStage(who)
      const at = path.join(stage.root, 'dep')
      mkdirSync(at)
      commit(stage, at, tool.dependency(1))
      commit(stage, stage.project, { ...tool.project(at), '.gitignore': `${tool.ignored.join('\n')}\n` })
      const run = async (script: string): Promise<string> => {
        const words = ['run', '--egress', 'off', '--ro', at, '--', 'sh', '-ec', script.replace('{go}', forGo(at))]
        const { code, stdout, stderr } = await paddock(stage, words)
        expect(code, `${name}: ${stdout}${stderr}`).toBe(0)
        expect(stderr).not.toContain('quarantined (')
        return stdout
      }
      expect(await run(tool.get)).toContain('version 1')
      commit(stage, at, tool.dependency(2))
      expect(await run(tool.update)).toContain('version 2')
      expect(await run(tool.update)).toContain('version 2')
      expect(existsSync(path.join(stage.project, '.git/paddock'))).toBe(false)
      expect(readFileSync(path.join(stage.project, '.git/config'), 'utf8')).not.toContain('insteadOf')
    },
  )
})
