import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import * as unchanged from '../../../src/cell/trees/unchanged.ts'
import { pathsBelow, plainSpec, realCells } from '../../support/real-cell.ts'
import { temporary } from '../../support/temporary.ts'

vi.mock('../../../src/cell/trees/unchanged.ts', { spy: true })

const places = 400
const seeds = Number(process.env['FUZZ'] ?? 2)

/** Numbers from 0 to `below`, the same ones for each seed (xorshift). */
function numbers(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/** A project with many directories, some of them repositories, packages, and settings of editors. */
function makeProject(project: string): void {
  for (let at = 0; at < places; at++) {
    const directory = path.join(project, `${at % 20}`, `${at}`)
    mkdirSync(path.join(directory, 'sub'), { recursive: true })
    // Few enough that the identities of all are read before the cell starts.
    for (const each of at % 3 === 0 ? ['a.ts', 'b.sh', 'sub/c.ts'] : []) writeFileSync(path.join(directory, each), `${at} ${each}\n`)
  }
  for (const each of ['1/1/.vscode', '2/2/node_modules/one', '3/3/node_modules/two/.vscode', '4/4/objects', '4/4/refs'])
    mkdirSync(path.join(project, each), { recursive: true })
  for (const each of ['1/1/.vscode/settings.json', '2/2/node_modules/one/index.js', '3/3/node_modules/two/.vscode/tasks.json'])
    writeFileSync(path.join(project, each), '{}\n')
  for (const each of ['', '5/5', '6/6']) execFileSync('git', ['init', '-q', path.join(project, each)])
}

/** Commands that change a project. Some fail, because an earlier one has removed what they need. */
function commands(next: (below: number) => number): readonly string[] {
  const place = (): string => {
    const at = next(2) === 0 ? next(places) : next(places / 4) * 3
    return `${at % 20}/${at}`
  }
  const kinds = [
    () => `echo more >> ${place()}/a.ts`,
    () => `rm ${place()}/sub/c.ts`,
    () => `echo new > ${place()}/sub/new.ts`,
    () => `mv ${place()} ${place()}/sub/moved`,
    () => `mv ${place()}/sub ${next(20)}/sub-${next(1000)}`,
    () => [place(), place()].map((each, at, all) => (at === 0 ? `mv ${each} x && mv ${all[1]} ${each}` : `mv x ${each}`)).join(' && '),
    () => `rm -rf ${place()}`,
    () => `rm -rf ${next(20)}`,
    () => `mkdir -p ${place()}/sub/.vscode && echo {} > ${place()}/sub/.vscode/tasks.json`,
    () => `git init -q ${place()}/sub/repository`,
    () => 'echo "ref: refs/heads/main" > 4/4/HEAD',
    () => `ln -s /etc/passwd ${place()}/link`,
    () => `ln -s ../a.ts ${place()}/sub/inner`,
    () => 'echo more >> 2/2/node_modules/one/index.js',
    () => 'mv 3/3/node_modules/two 3/3/two',
    () => 'mv 1/1/.vscode 1/.vscode',
    () => 'git -C 5/5 config core.pager less',
    () => 'ln -s /tmp/elsewhere 6/6/.git/refs/heads/out',
    () => 'mv 5/5/.git 5/5/other',
    () => `chmod 0 ${place()}/sub`,
    () => `chmod 755 ${place()}/b.sh`,
    () => `d=${place()}; mv $d x && mv x $d`,
    () => `touch -d 2001-01-01 ${place()}/a.ts`,
    () => `cp -a ${place()} ${place()}/copy`,
  ]
  return Array.from({ length: 12 }, () => kinds[next(kinds.length)]?.() ?? '')
}

test.for(Array.from({ length: seeds }, (_, at) => at + 2))(
  'directories without changes are left out, and nothing is missed: %i',
  async (seed) => {
    const script = commands(numbers(seed)).join('\n')
    const found = []
    let skipped = 0
    for (const isWhole of [false, true]) {
      await using directory = await temporary()
      const paths = pathsBelow(directory.path)
      const project = directory.at('project')
      for (const each of [paths.userHome, project]) mkdirSync(each)
      makeProject(project)
      const spy = vi.spyOn(unchanged, 'unchangedDirectories')
      if (isWhole) spy.mockResolvedValue(new Set())
      const cell = await realCells(paths)(plainSpec(project, ['sh', '-c', script]), { stdin: 'pipe' })
      cell.stdin?.end()
      const { changes } = await cell.done
      if (!isWhole) skipped = (await spy.mock.results[0]?.value)?.size
      spy.mockRestore()
      execFileSync('chmod', ['-R', 'u+rwx', project])
      const left = execFileSync('find', ['.', '-not', '-path', '*/.git/*'], { cwd: project, encoding: 'utf8' })
      found.push({ changes, left: left.split('\n').toSorted() })
    }
    expect(skipped).toBeGreaterThan(100)
    expect(found[0], script).toEqual(found[1])
  },
)
