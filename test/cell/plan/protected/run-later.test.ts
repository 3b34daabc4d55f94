import { describe, expect, test } from 'vitest'
import { rulesOfHost } from '../../../../src/adapters/agent-facts.ts'

const whyRunsLater = (file: string): string | null => rulesOfHost.namedAt(file)?.why ?? null

describe('files that a review marks because something runs or obeys them later', () => {
  test.each([
    'package.json',
    'sub/Makefile',
    '.justfile',
    'Rakefile',
    'pyproject.toml',
    'tox.ini',
    'setup.cfg',
    'crates/a/Cargo.toml',
    'composer.json',
    'build.gradle',
    'settings.gradle.kts',
    'pom.xml',
    '.mvn/extensions.xml',
    '.bazelrc',
    'default.nix',
    'shell.nix',
    'flake.nix',
    '.lintstagedrc',
    '.lintstagedrc.json',
    '.eslintrc.js',
    '.prettierrc.cjs',
    '.babelrc.js',
    'eslint.config.mjs',
    'CLAUDE.md',
    'CLAUDE.local.md',
    'AGENTS.override.md',
    '.cursorrules',
    '.windsurfrules',
    '.clinerules',
    '.vimrc',
    '.gdbinit',
    'gradlew',
    'run.sh',
  ])('%s', (file) => {
    expect(whyRunsLater(file)).toEqual(expect.any(String))
  })

  test.each(['a\nb.sh', 'a\r.mk', 'x\u2028.csproj'])('a name with a line break: %j', (file) => {
    expect(whyRunsLater(file)).toEqual(expect.any(String))
  })

  test.each([
    'README.md',
    'src/main.ts',
    'claude.ts',
    'notes/agents.txt',
    'build/output.txt',
    'my.rules',
    'Cargo.lock',
    'docs/default.md',
    'pom.xml.txt',
  ])('and not %s', (file) => {
    expect(whyRunsLater(file)).toBeNull()
  })
})
