import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readRegularSync } from '../../src/files/read-regular.ts'
import { readGitConfig } from '../../src/git/config-syntax.ts'
import { submoduleUrl } from '../../src/git/submodule-url.ts'

const root = mkdtempSync('/tmp/paddock-submodule-')
const git = (...words: string[]): string => execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
git('init', '-q')
git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},s`)
afterAll(() => rmSync(root, { recursive: true }))

/** Returns the address that git writes into the config; null if it refuses. */
function asGit(url: string, remote: string): string | null {
  const config = path.join(root, '.git/config')
  writeFileSync(config, `[core]\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = ${remote}\n`)
  writeFileSync(path.join(root, '.gitmodules'), `[submodule "s"]\n\tpath = s\n\turl = ${url}\n`)
  try {
    git('submodule--helper', 'init')
  } catch {
    return null
  }
  return readGitConfig(readRegularSync(config, 4096) ?? '').entries.find((each) => each.key === 'submodule.s.url')?.value ?? null
}

test('the address of a submodule is resolved as git does it', () => {
  for (const remote of ['/x/y/a', '/x/y/a/', 'host:x/a', 'user@host:a', 'https://host:1/x/a.git', '../a', 'x/a', 'a'])
    for (const url of ['../b', './b', '../../b/c/', './../b', 'other:b', '../../../../../b'])
      expect(submoduleUrl(url, remote), `${url} of ${remote}`).toBe(asGit(url, remote))
})
