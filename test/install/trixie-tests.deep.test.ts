import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Verification } from '../../src/guarantees/verify.ts'
import { freshDirectory } from '../support/fresh-directory.ts'
import { inTree, makeTree, neededByTests, noTrees } from '../support/trees.ts'

const checkout = path.join(import.meta.dirname, '../..')
const missing = noTrees()
const timeout = 3_600_000
const inside = '/home/user/paddock'

/** Copies what git tracks and what was built, without what the tests of other tiers installed. */
function copyCheckout(to: string): void {
  const copy = 'git ls-files -z | xargs -0 cp -a --parents -t "$0" && cp -a dist .git "$0"'
  expect(spawnSync('sh', ['-c', copy, to], { cwd: checkout, encoding: 'utf8' }).stderr).toBe('')
}

/** Gives the checkout to the user, except for the packages, which are many. */
const own = `find . -name node_modules -prune -o -print0 | xargs -0 chown -h user
cd node_modules && rm -rf .vite .vite-temp && mkdir .vite .vite-temp && chown user . .vite .vite-temp`

describe('Debian 13', () => {
  test.for(['root', 'user'] as const)('every guarantee holds, as %s', { timeout }, (as, { skip }) => {
    skip(missing !== false, `${missing}`)
    const ran = inTree(makeTree('trixie'), { as }, 'paddock verify --json')
    expect(ran.stderr).toBe('')
    expect((JSON.parse(ran.stdout) as Verification).guarantees.filter((each) => each.status !== 'held')).toEqual([])
  })

  test('the quick tests pass, as a user', { timeout }, ({ skip }) => {
    skip(missing !== false, `${missing}`)
    const tree = makeTree('trixie', neededByTests)
    const place = freshDirectory('/var/tmp/paddock-tree-')
    try {
      mkdirSync(`${place}/checkout`)
      copyCheckout(`${place}/checkout`)
      const packages = ['node_modules', 'test/node20/node_modules'].map((each) => `${checkout}/${each}:${inside}/${each}`)
      const options = [
        ...['--changes', `${place}/changes`, '--cwd', inside, '--env', 'NO_COLOR=1'],
        ...[`${place}/checkout:${inside}`, ...packages].flatMap((each) => ['--over', each]),
        ...['--env', `PATH=${inside}/node_modules/node/bin:${inside}/node_modules/.bin:/usr/bin:/usr/sbin`],
      ]
      expect(inTree(tree, { as: 'root', options }, own)).toEqual({ code: 0, stdout: '', stderr: '' })
      const ran = inTree(tree, { as: 'user', options }, 'vitest run')
      expect(ran.stderr.split('\n').filter((each) => each.startsWith(' FAIL '))).toEqual([])
      expect(ran.stdout).toMatch(/^\d+ passed, 0 failed, \d+ skipped$/m)
      expect(ran.code).toBe(0)
    } finally {
      spawnSync('rm', ['-rf', place])
    }
  })
})
