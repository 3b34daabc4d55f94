import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { searchDirectories } from '../../src/adapters/agent-facts.ts'
import { locateFile, locateProgram } from '../../src/adapters/locate.ts'
import { shimText } from '../../src/cli/shim/shim-file.ts'

let root = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'locate-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const at = (...parts: readonly string[]): string => path.join(root, ...parts)

function file(where: string, content = '\x7fELF', mode = 0o755): string {
  mkdirSync(path.dirname(at(where)), { recursive: true })
  writeFileSync(at(where), content)
  chmodSync(at(where), mode)
  return at(where)
}

function link(where: string, target: string): void {
  mkdirSync(path.dirname(at(where)), { recursive: true })
  symlinkSync(target, at(where))
}

const nodeScript = '#!/usr/bin/env node\n'

describe('where an agent is installed', () => {
  test('npm, global: the node_modules that also holds its platform package, and the node it needs', async () => {
    const program = file('lib/node_modules/@openai/codex/bin/codex.js', nodeScript)
    file('lib/node_modules/@openai/codex/package.json', '{"name":"@openai/codex","version":"0.169.0"}', 0o644)
    link('bin/codex', '../lib/node_modules/@openai/codex/bin/codex.js')
    const node = path.dirname(realpathSync(process.execPath))
    expect(await locateProgram('codex', ['/nowhere', at('bin')])).toEqual({
      program,
      mounts: [
        { source: at('lib/node_modules'), access: 'ro' },
        { source: node, access: 'ro' },
      ],
      pathEntries: [node],
      version: '0.169.0',
    })
  })

  test('npm, a native program: no node', async () => {
    const program = file('node_modules/@anthropic-ai/claude-code/bin/claude.exe')
    file('node_modules/@anthropic-ai/claude-code/package.json', '{"version":"2.1.330"}', 0o644)
    link('node_modules/.bin/claude', '../@anthropic-ai/claude-code/bin/claude.exe')
    expect(await locateProgram('claude', [at('node_modules/.bin')])).toEqual({
      program,
      mounts: [{ source: at('node_modules'), access: 'ro' }],
      pathEntries: [],
      version: '2.1.330',
    })
  })

  test("claude's own installer: only the file of the version", async () => {
    const program = file('.local/share/claude/versions/2.1.330')
    link('.local/bin/claude', at('.local/share/claude/versions/2.1.330'))
    const found = await locateProgram('claude', [at('.local/bin')])
    expect(found).toEqual({ program, mounts: [{ source: program, access: 'ro' }], pathEntries: [], version: '2.1.330' })
  })

  test('a file on its own', async () => {
    const program = file('.opencode/bin/opencode')
    const found = await locateProgram('opencode', [at('.opencode/bin')])
    expect(found).toEqual({ program, mounts: [{ source: program, access: 'ro' }], pathEntries: [], version: null })
  })

  test('pnpm: the script in PATH is followed to the outermost node_modules', async () => {
    const inner = 'global/5/node_modules/.pnpm/@openai+codex@1.0.0/node_modules/@openai/codex'
    const program = file(`${inner}/bin/codex.js`, nodeScript)
    file(`${inner}/package.json`, '{"version":"1.0.0"}', 0o644)
    link('global/5/node_modules/@openai/codex', at(inner))
    file('codex', '#!/bin/sh\nbasedir=$(dirname "$0")\nexec node  "$basedir/global/5/node_modules/@openai/codex/bin/codex.js" "$@"\n')
    const found = await locateProgram('codex', [root])
    expect(found).toMatchObject({ program, version: '1.0.0' })
    expect(found?.mounts[0]).toEqual({ source: at('global/5/node_modules'), access: 'ro' })
  })

  test.each(['home/.ssh/id', 'home/.ssh'])(
    'a script with a link to a file that belongs to no package shows the cell only the script: %s',
    async (target) => {
      file('home/.ssh/id', 'private', 0o600)
      link('project/node_modules/x/key', at(target))
      const script = file('project/node_modules/.bin/codex', '#!/bin/sh\nexec node "$basedir/../../node_modules/x/key" "$@"\n')
      const found = await locateProgram('codex', [at('project/node_modules/.bin')])
      expect(found).toMatchObject({ program: script, mounts: [{ source: at('project/node_modules') }] })
    },
  )

  test('volta: the shim is followed to the package', async () => {
    file('.volta/bin/volta-shim')
    link('.volta/bin/gemini', 'volta-shim')
    const program = file('.volta/tools/image/packages/@google/gemini-cli/lib/node_modules/@google/gemini-cli/gemini.js', nodeScript)
    link('.volta/tools/image/packages/@google/gemini-cli/bin/gemini', '../lib/node_modules/@google/gemini-cli/gemini.js')
    expect((await locateProgram('gemini', [at('.volta/bin')]))?.program).toBe(program)
  })

  test('Homebrew: the directory of the version', async () => {
    const program = file('Cellar/opencode/1.18.33/bin/opencode')
    link('bin/opencode', '../Cellar/opencode/1.18.33/bin/opencode')
    const found = await locateProgram('opencode', [at('bin')])
    expect(found).toEqual({
      program,
      mounts: [{ source: at('Cellar/opencode/1.18.33'), access: 'ro' }],
      pathEntries: [],
      version: '1.18.33',
    })
  })

  test('entries that cannot run are skipped: a directory, a file without permission, a dangling link, shims', async () => {
    mkdirSync(at('a/codex'), { recursive: true })
    file('b/codex', 'text', 0o644)
    link('c/codex', 'gone')
    file('mise/bin/mise')
    link('d/codex', at('mise/bin/mise'))
    link('e/codex', file('shims/codex', shimText('codex', ['/usr/bin/paddock'])))
    const program = file('f/codex')
    const search = ['a', 'b', 'c', 'd', 'e', 'f'].map((each) => at(each))
    expect((await locateProgram('codex', search))?.program).toBe(program)
    expect(await locateProgram('codex', search.slice(0, 5))).toBeNull()
    expect(await locateFile(at('e/codex'), search)).toBeNull()
  })
})

describe('searchDirectories', () => {
  test('PATH first, absolute directories only, each once', () => {
    const found = searchDirectories('/a:relative::/b/:/a:.', '/home/me')
    expect(found.slice(0, 3)).toEqual(['/a', '/b/', '/home/me/.local/bin'])
    expect(new Set(found).size).toBe(found.length)
    expect(found.every((each) => path.isAbsolute(each))).toBe(true)
  })
})
