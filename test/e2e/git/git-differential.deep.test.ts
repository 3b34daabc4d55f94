import { describe, expect, test } from 'vitest'
import { both } from '../../support/cli.ts'
import { compare } from '../../support/git-scripts/compare.ts'
import { type Script, scriptOf, scriptText } from '../../support/git-scripts/script.ts'

/** Random scripts for each user. `FUZZ` asks for more; `SEED` runs one, and finds the shortest script that fails as it does. */
const count = Math.max(5, Math.min(200, Number(process.env['FUZZ'] ?? 0)))
const only = process.env['SEED']
const seeds = only === undefined ? Array.from({ length: count }, (_, at) => at + 1) : [Number(only)]

/** Why a step may fail in a cell, or beside it, that succeeds without one, by what git prints. Nothing is lost then. */
const reasons = [
  ['a conflict in a held file', /protected-files-are-merged-outside-the-cell/],
  [
    'another version of a held file, written by its path',
    /unable to (?:unlink old|write file) '.*'(?: mode \d+)?: (Device or resource busy|Read-only file system)/,
  ],
  ['a patch of a held file', /already exists in working directory|does not match index|cannot checkout/],
  ['a protected file that is new in the work tree', /unable to create file .*: Read-only file system/],
  ['the protected config', /could not (?:lock|write) config file|could not set 'core\.|unable to write to config/],
  ['a filter that the cell does not have', /filter 'own' failed|smudge filter own failed|clean filter 'own'/],
  ['the patterns of a sparse checkout', /sparse-checkout\.lock': File exists/],
  ['another git that works in the repository at the same moment', /Unable to create '\S+\/index\.lock': File exists/],
  ['a placeholder of a protected path', /failed to remove \S+: Device or resource busy/],
  ['held files that wait for the end of the cell', /local changes to the following files would be overwritten|not uptodate\. Cannot merge/],
] as const

const protectedPath = /(^|[\s/])(\.envrc|\.vscode|\.mcp\.json)\b/

/** Commands that pass over held files where git outside would change them, without an error. */
const passOver = /^git (?:restore -q -s \S+ -SW|checkout -q \S+ --) \.$/

/**
 * Returns true if a difference is expected, one class each. Nothing is lost in any of them.
 * - Only protected paths differ, and the last lines name them, because no commit of the user has the version.
 * - The user has a sparse checkout: new held files stay hidden, new work trees of the cell do not have it, and a commit on the host during the
 *   run takes held files along, which the last lines name. A change below a directory that it hides stays hidden, and is named as well.
 * - A mixed reset passed over held files, and the last lines name them, with the command that gets them back.
 * - A command failed for a filter that the cell does not have, and the script went on.
 * - A command for the whole tree took a version from another commit, and passed over held files.
 */
function isExpected(lines: readonly string[], { features, steps }: Script, stderr: string): boolean {
  const says = (pattern: RegExp): boolean => pattern.test(stderr)
  if (says(/^paddock: not in the agent's commits as before its git reset/m)) return true
  if (steps.some((each) => each.by === 'cell' && passOver.test(each.command))) return true
  if (isWithoutFilter({ features }, stderr)) return true
  if (features.sparse !== 'none' && says(/^paddock: commit \S+ changes protected paths/m)) return true
  const named = stderr.match(/^paddock: (left as they are|quarantined).*/gm)?.join('\n') ?? ''
  const isHiddenNamed = says(/^paddock: review these .*two words\/ü \(it was changed, and the index hides that/m)
  return lines.every((each) => {
    const found = protectedPath.exec(each)?.[2]
    if (found === undefined) return isHiddenNamed && /two words\/(?:ü|\\303)|refs\/stash|^ {2}\w+: [0-9a-f]{40,64}$/.test(each)
    return features.sparse !== 'none' || named.includes(found)
  })
}

function isWithoutFilter({ features }: Pick<Script, 'features'>, stderr: string): boolean {
  return features.filter === 'own' && /(?:clean )?filter 'own' failed/.test(stderr)
}

/** Returns what is wrong with a script. Null if it ends as on the host, or by an accepted reason. */
async function faultOf(who: (typeof both)[number], script: Script): Promise<string | null> {
  const { steps, failed, code, why, stderr, bare, cell, lost: missing } = await compare(who, script)
  // A commit that a script without a filter has not made is not lost.
  const lost = isWithoutFilter(script, stderr) ? missing.filter((each) => !each.startsWith('commit ')) : missing
  const end = `at: ${failed?.command ?? 'the end'}\n${scriptText({ ...script, steps })}\n${stderr}`
  if (failed === null && code === 0) {
    const lines = difference(bare, cell)
    if (cell === bare) return null
    if (lost.length > 0) return `lost ${lost.join(' ')} ${end}`
    return isExpected(lines, script, stderr) ? null : `differs:\n${lines.join('\n')}\n${end}`
  }
  if (lost.length > 0) return `lost ${lost.join(' ')} ${end}`
  if (code === 3 && reasons.some(([, pattern]) => pattern.test(why))) return null
  return `exit code ${code} ${end}`
}

function difference(before: string, after: string): readonly string[] {
  const [old, now] = [new Set(before.split('\n')), new Set(after.split('\n'))]
  return [
    ...[...old].filter((each) => !now.has(each)).map((each) => `  host: ${each}`),
    ...[...now].filter((each) => !old.has(each)).map((each) => `  cell: ${each}`),
  ]
}

/** Leaves out steps as long as the script fails. */
async function shortest(who: (typeof both)[number], script: Script): Promise<Script> {
  let { steps } = script
  for (let at = steps.length - 1; at >= 0; at--) {
    const fewer = steps.toSpliced(at, 1)
    if ((await faultOf(who, { ...script, steps: fewer })) !== null) steps = fewer
  }
  return { ...script, steps }
}

describe.each(both)('as %s, a random git script ends in a cell as on the host, or with an error and nothing lost', (who) => {
  test.concurrent.each(seeds)('SEED=%i', async (seed) => {
    const script = scriptOf(seed)
    const fault = await faultOf(who, script)
    const shown = fault === null || only === undefined ? fault : await faultOf(who, await shortest(who, script))
    expect(shown, `SEED=${seed}`).toBeNull()
  })
})
