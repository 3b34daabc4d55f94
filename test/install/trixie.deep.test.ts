import { beforeAll, describe, expect, test } from 'vitest'
import type { Verification } from '../../src/guarantees/verify.ts'
import { inTree, makeTree, noTrees, type RanInTree } from '../support/trees.ts'

const missing = noTrees()
/** Guarantees whose mechanisms depend on programs of the system: bwrap, unshare, git, Perl. */
const some = [
  'no-mounts',
  'no-new-namespaces',
  'set-id-files-not-made',
  'processes-not-traced',
  'system-read-only',
  'home-absent',
  'later-not-made',
  'later-every-repository',
  'no-way-out-but-the-gateway',
]

// test/install/trixie-tests.deep.test.ts runs all guarantees and the quick tests there.
describe.each(['root', 'user'] as const)('Debian 13, as %s', (as) => {
  let tree = ''
  beforeAll(() => {
    if (missing === false) tree = makeTree('trixie')
  }, 600_000)
  const run = (text: string): RanInTree => inTree(tree, { as }, `mkdir -p /tmp/project && cd /tmp/project\n${text}`)

  test('a cell starts', ({ skip }) => {
    skip(missing !== false, `${missing}`)
    const ran = run('cat /etc/debian_version; paddock run --quiet -- sh -c "id -u; cat /etc/debian_version; touch made"; ls')
    expect(ran.stderr).toBe('')
    expect(ran.stdout.split('\n')).toEqual([expect.stringMatching(/^13/), '1000', expect.stringMatching(/^13/), 'made', ''])
    expect(ran.code).toBe(0)
  })

  test('a sandbox can be created in a cell', ({ skip }) => {
    skip(missing !== false, `${missing}`)
    const inner = 'bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib64 /lib64 --proc /proc --dev /dev --bind . /work'
    const ran = run(`paddock run --quiet --nested-sandbox -- ${inner} --unshare-all --chdir /work sh -c 'ls /; touch made'; ls`)
    expect(ran.stderr).toBe('')
    expect(ran.stdout.split('\n')).toEqual(['bin', 'dev', 'lib64', 'proc', 'usr', 'work', 'made', ''])
  })

  test('guarantees hold', ({ skip }) => {
    skip(missing !== false, `${missing}`)
    const ran = run(`paddock verify --json ${some.map((each) => `--only ${each}`).join(' ')}`)
    expect(ran.stderr).toBe('')
    const { guarantees } = JSON.parse(ran.stdout) as Verification
    expect(guarantees.map((each) => [each.id, each.status]).sort()).toEqual(some.map((each) => [each, 'held']).sort())
  })
})
