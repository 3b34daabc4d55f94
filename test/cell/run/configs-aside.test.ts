import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { CellPlan } from '../../../src/cell/plan/plan.ts'
import { inspectProject } from '../../../src/cell/plan/project-facts.ts'
import { runLaterRules } from '../../../src/cell/plan/protected/run-later.ts'
import { openRegistry } from '../../../src/cell/run/cell-registry.ts'
import { moveConfigsAside, recordAside } from '../../../src/cell/run/configs-aside.ts'
import { newRecord } from '../../../src/cell/run/new-record.ts'
import { moveConfigBack } from '../../../src/cell/trees/config-aside.ts'
import { knownEntries } from '../../../src/cell/trees/known-entries.ts'
import { isConfigAside } from '../../../src/git/config-put-aside.ts'
import { temporary } from '../../support/temporary.ts'

/** A planned cell in a repository, whose config is aside. */
async function planned() {
  const directory = await temporary()
  const [project, state] = [directory.at('project'), directory.at('state')]
  execFileSync('git', ['init', '-q', project])
  const registry = openRegistry(directory.at('state', 'cells'))
  const rules = runLaterRules([])
  const facts = inspectProject(project, rules, new Set(), undefined, { atGit: moveConfigsAside(registry, []) })
  const plan = { backend: 'none', trees: [project], filesystem: [], egress: { mode: 'off' } } as unknown as CellPlan
  const record = newRecord('ab', Date.now(), plan, [facts], state, { runLater: [] })
  const git = `${project}/.git`
  expect(isConfigAside(`${git}/config`)).toBe(true)
  const write = async (): Promise<void> => recordAside(registry, record, facts.configViews ?? [], (each) => registry.write('ab', each))
  return { git, registry, write, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() }
}

test('a config that the end of another cell moved back after the plan is moved aside again, and recorded as it is then', async () => {
  await using at = await planned()
  moveConfigBack(at.git)
  execFileSync('git', ['--git-dir', at.git, 'config', 'user.name', 'later'])
  await at.write()
  const [record] = at.registry.all()
  expect(isConfigAside(`${at.git}/config`)).toBe(true)
  expect(record?.configs?.map((each) => each.text.includes('later'))).toEqual([true])
  const files = [`${at.git}/config`, `${at.git}/paddock`]
  expect(record?.known.filter(([file]) => files.includes(file))).toEqual(knownEntries(files))
})

test('a git on the host that writes the config meanwhile is waited for', async () => {
  await using at = await planned()
  moveConfigBack(at.git)
  writeFileSync(`${at.git}/config.lock`, '')
  const written = at.write()
  await setTimeout(50)
  expect(at.registry.all()).toEqual([])
  rmSync(`${at.git}/config.lock`)
  await written
  expect(at.registry.all()).toHaveLength(1)
})
