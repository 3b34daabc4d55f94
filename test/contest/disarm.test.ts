import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rulesOfHost } from '../../src/adapters/agent-facts.ts'
import { disarm, isObeyed } from '../../src/contest/seal/disarm.ts'
import { looksLikeGitDirectory } from '../../src/git/directory-names.ts'

test('instruction files of agents get names that no agent loads', () => {
  const files = [
    'CLAUDE.md',
    'src/claude.MD',
    '.claude/settings.json',
    'a/.claude/CLAUDE.md',
    '.github/copilot-instructions.md',
    'README.md',
    '.mcp.json',
    'sub/Mise.Dev.toml',
    '.KIRO/hooks/a',
  ]
  expect(Object.fromEntries(disarm(files).names)).toEqual({
    'CLAUDE.md': 'CLAUDE.md.submitted.txt',
    'src/claude.MD': 'src/claude.MD.submitted.txt',
    '.claude/settings.json': '.claude.submitted/settings.json',
    'a/.claude/CLAUDE.md': 'a/.claude.submitted/CLAUDE.md.submitted.txt',
    '.github/copilot-instructions.md': '.github/copilot-instructions.md.submitted.txt',
    '.mcp.json': '.mcp.json.submitted.txt',
    'sub/Mise.Dev.toml': 'sub/Mise.Dev.toml.submitted.txt',
    '.KIRO/hooks/a': '.KIRO.submitted/hooks/a',
  })
})

test('no file is left under a name that an agent loads, and no two meet', () => {
  const part = fc.constantFrom(
    'CLAUDE.md',
    'claude.md.submitted.txt',
    'CLAUDE.md.submitted.txt',
    '.claude',
    '.claude.submitted',
    '.github',
    'copilot-instructions.md',
    'x',
    '.git',
    '.git.submitted',
    'HEAD',
    'head',
    'HEAD.submitted.txt',
    'objects',
    'refs',
    'commondir',
    '.envrc',
    '.vscode',
  )
  const tree = fc.array(
    fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(tree, (paths) => {
      const unique = [...new Set(paths)]
      const files = unique.filter((each) => !unique.some((other) => other.startsWith(`${each}/`)))
      const { names: renamed } = disarm(files)
      const names = files.map((each) => renamed.get(each) ?? each)
      expect(new Set(names).size).toBe(files.length)
      for (const name of names) {
        expect(isObeyed(name)).toBe(false)
        expect(names.some((other) => other.startsWith(`${name}/`))).toBe(false)
      }
      // The same as git's own decision, in every directory.
      const there = new Set(names.flatMap((name) => name.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'))))
      for (const path of there)
        if (/(^|\/)HEAD$/i.test(path)) expect(looksLikeGitDirectory({ has: (name) => there.has(path.replace(/HEAD$/i, name)) })).toBe(false)
    }),
    { numRuns: 500 },
  )
})

test('files that git, editors and shells obey are renamed, in every directory and in any case', () => {
  const files = [
    '.git/HEAD',
    '.git/config',
    'a/.GIT/config',
    '.gitattributes',
    'a/b/.lfsconfig',
    '.Envrc',
    'x/.vscode/tasks.json',
    '.git.submitted/x',
  ]
  expect(Object.fromEntries(disarm(files).names)).toEqual({
    '.git/HEAD': '.git.submitted-2/HEAD',
    '.git/config': '.git.submitted-2/config',
    'a/.GIT/config': 'a/.GIT.submitted/config',
    '.gitattributes': '.gitattributes.submitted.txt',
    'a/b/.lfsconfig': 'a/b/.lfsconfig.submitted.txt',
    '.Envrc': '.Envrc.submitted.txt',
    'x/.vscode/tasks.json': 'x/.vscode.submitted/tasks.json',
  })
  expect(disarm(['a/.git/x', 'a/.git/y', 'b']).renamed).toEqual([{ from: 'a/.git', to: 'a/.git.submitted' }])
  for (const { path } of rulesOfHost.runLater) expect([path, disarm([`deep/${path}`]).names.size]).toEqual([path, 1])
})

test('a repository by any name loses its HEAD', () => {
  const bare = ['docs/HEAD', 'docs/config', 'docs/objects/pack/p', 'docs/refs/heads/main']
  expect([...disarm(bare).names]).toEqual([['docs/HEAD', 'docs/HEAD.submitted.txt']])
  expect([...disarm(['d/HEAD', 'd/commondir']).names]).toEqual([['d/HEAD', 'd/HEAD.submitted.txt']])
  expect([...disarm(['HEAD', 'objects/x', 'refs/x']).names]).toEqual([['HEAD', 'HEAD.submitted.txt']])
  expect([...disarm(['d/HEAD', 'd/objects/x']).names]).toEqual([])
})
