import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'
import { differences, snapshot } from '../probe/probe-snapshot.ts'

export const otherTrees: Guarantee = {
  id: 'later-in-every-writable-tree',
  chapter: 'later',
  claim: 'In each directory that you mount with --rw, files that run later are protected as in the project.',
  mechanism: 'Every writable directory of yours gets the same search, the same mounts and the same check at the end.',
  kind: 'structural',
  why: 'An editor that opens that directory obeys it as it would the project.',
  fails: ['A single file that you mount with --rw is writable, whatever its name is.'],
  probe: async (bench) => {
    const project = await bench.project()
    const other = await bench.directory()
    for (const each of ['.vscode', 'sub']) await mkdir(path.join(other, each))
    for (const each of ['.envrc', '.vscode/tasks.json', 'ordinary']) await writeFile(path.join(other, each), 'as it was')
    const watched = (): ReadonlyMap<string, string> =>
      new Map([...snapshot(other)].filter(([each]) => /^\.(envrc|vscode|claude|mcp|idea)/.test(each)))
    const before = watched()
    const { result } = await bench.inside(
      ({ fs, attempt }, given) => {
        const at = (name: string): string => `${given}/${name}`
        const tried = {
          'write .envrc': attempt(() => fs.writeFileSync(at('.envrc'), 'bad')),
          'write .vscode/tasks.json': attempt(() => fs.writeFileSync(at('.vscode/tasks.json'), 'bad')),
          'move .vscode': attempt(() => fs.renameSync(at('.vscode'), at('moved'))),
          'make .mcp.json': attempt(() => fs.writeFileSync(at('.mcp.json'), '{}')),
          'make a file in .claude': attempt(() => fs.writeFileSync(at('.claude/settings.json'), 'bad')),
        }
        fs.writeFileSync(at('sub/.envrc'), 'bad')
        return { tried, control: attempt(() => fs.writeFileSync(at('ordinary'), 'changed')) }
      },
      other,
      { project, mounts: [{ source: other, access: 'rw' }], strictNames: true },
    )
    const changed = differences(before, watched())
    if (changed.length > 0) return broken(`changed on the host: ${changed.join(', ')}`)
    if (existsSync(path.join(other, 'sub/.envrc'))) return broken('a new .envrc in a subdirectory was not quarantined')
    if (result.control !== 'ok') return broken(`an ordinary file there could not be written: ${result.control}`)
    const finding = unlessAll(result.tried, ['EROFS', 'EBUSY', 'EXDEV'])
    return (
      finding ??
      held(
        `in a second writable directory: ${countOutcomes(result.tried)}; a new one in a subdirectory was quarantined; an ordinary file was written`,
      )
    )
  },
}
