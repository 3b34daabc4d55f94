import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { resolvePaths } from '../../../src/base/paths.ts'
import { Layout } from '../../../src/contest/config/contest-layout.ts'
import { hiddenFrom, startContestCell } from '../../../src/contest/run/contest-cell.ts'
import { knownContests, noteContest } from '../../../src/contest/state/known-contests.ts'
import { temporary } from '../../support/temporary.ts'

function madeHome(root: string) {
  const at = (file: string): string => path.join(root, file)
  const put = (file: string, text = ''): void => {
    mkdirSync(path.dirname(at(file)), { recursive: true })
    writeFileSync(at(file), text)
  }
  const paths = resolvePaths({ HOME: root, PADDOCK_HOME: at('paddock') })
  const hidden = (contest: string): Promise<readonly string[]> => hiddenFrom({ layout: new Layout(at(contest)), root: at(contest) }, paths)
  return { at, put, paths, hidden }
}

it('the cells of a contest see neither it nor the contests next to it, nor others that Paddock knows', async () => {
  await using root = await temporary()
  const { at, put, paths, hidden } = madeHome(root.path)
  for (const each of ['one/contest.yaml', 'two/contest.yaml', 'three/suite.yaml', 'tools/bin/x', 'far/away/contest.yaml']) put(each)
  noteContest(paths.state, { root: at('far/away') })
  noteContest(paths.state, { root: at('far/away') })
  noteContest(paths.state, { root: at('gone') })
  expect(knownContests(paths.state)).toEqual([{ root: at('far/away') }, { root: at('gone') }])
  expect((await hidden('one')).toSorted()).toEqual([at('far/away'), at('one'), at('three'), at('two')])
})

it('a contest that Paddock knows stays hidden without its contest.yaml, as long as it has work', async () => {
  await using root = await temporary()
  const { at, put, paths, hidden } = madeHome(root.path)
  for (const each of ['one/contest.yaml', 'a/rounds/1/x', 'b/contest.yaml.old', 'b/judging/1/mapping.json', 'c/runs/x/1/out', 'd/notes'])
    put(each)
  for (const each of ['a', 'b', 'c', 'd']) noteContest(paths.state, { root: at(each) })
  expect((await hidden('one')).toSorted()).toEqual(['a', 'b', 'c', 'one'].map(at))
})

it('a directory that has nothing but contests is hidden as a whole, with those that are made later', async () => {
  await using root = await temporary()
  const { at, put, hidden } = madeHome(root.path)
  for (const each of ['contests/one/contest.yaml', 'contests/two/contest.yaml', 'contests/README.md']) put(each)
  expect(await hidden('contests/one')).toContain(at('contests'))
})

it('the contest of a brief hides its suite, and the repository and the project that it was made from', async () => {
  await using root = await temporary()
  const { at, put, paths, hidden } = madeHome(root.path)
  for (const each of ['suite/suite.yaml', 'suite/runs/a/1/contest.yaml', 'work/other', 'repository/.git/HEAD', 'project/x']) put(each)
  noteContest(paths.state, { root: at('suite'), from: at('repository') })
  const project = { schemaVersion: 1, project: at('project'), ref: null, repositories: [], entries: [] }
  put('suite/runs/a/1/project.json', JSON.stringify(project))
  expect(await hidden('suite/runs/a/1')).toEqual(expect.arrayContaining(['suite', 'repository', 'project'].map(at)))
  put('apart/contest.yaml')
  expect(await hidden('apart')).not.toContain(at('repository'))
  put('apart/project.json', 'broken')
  await expect(hidden('apart')).rejects.toThrow(/project.json does not describe a project/)
})

it('hides them at L1 only, because other cells do not see the home', async () => {
  await using root = await temporary()
  const { at, put, paths } = madeHome(root.path)
  put('one/contest.yaml')
  symlinkSync('one', at('link'))
  const started: unknown[] = []
  const about = { layout: new Layout(at('link')), root: at('one') }
  const spec = { name: 'x', command: ['true'], cwd: '/' } as never
  const deps = { paths, signal: new AbortController().signal, startCell: async (each: { hidden?: unknown }) => started.push(each.hidden) }
  await startContestCell(about, deps as never, spec, { stdin: 'none' })
  await startContestCell(about, deps as never, { ...(spec as object), posture: 'L1' } as never, { stdin: 'none' })
  expect(started).toEqual([undefined, [at('link'), at('one')]])
})
