import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rulesOfHost } from '../../../src/adapters/agent-facts.ts'
import { Layout } from '../../../src/contest/config/contest-layout.ts'
import { applySubmission } from '../../../src/contest/project/apply-winner.ts'
import { takeProject } from '../../../src/contest/project/take-project.ts'
import { sealSubmission } from '../../../src/contest/seal/seal.ts'
import type { CopyHost } from '../../../src/copy/copy-host.ts'
import { temporary } from '../../support/temporary.ts'

test('applying the work of a participant compares its copy once', async () => {
  await using root = await temporary()
  const [layout, project, work] = [new Layout(root.at('contest')), root.at('project'), root.at('work')]
  for (const each of [layout.root, project, work, root.at('home')]) mkdirSync(each)
  writeFileSync(root.at('project', 'greeting'), 'hello\n')
  writeFileSync(root.at('work', 'greeting'), 'welcome\n')
  const began: string[] = []
  const host: CopyHost = {
    paths: {
      config: root.at('config'),
      state: root.at('state'),
      data: root.at('data'),
      cache: root.at('cache'),
      userHome: root.at('home'),
      userName: 'tester',
    },
    env: { PATH: '/usr/bin:/bin' },
    runLater: rulesOfHost,
    credentials: { names: [], files: [] },
    note: () => {},
    progress: (what) => {
      began.push(what)
      return { step: () => {}, [Symbol.dispose]: () => {} }
    },
  }
  await takeProject(layout, { project, ref: null, refused: [] }, host)
  const participants = [{ name: 'one', agent: 'command', command: ['x'] }]
  const config = { schemaVersion: 1, name: 'small', start: 'start', participants, checks: [{ name: 'there', command: ['true'] }] }
  writeFileSync(layout.config, JSON.stringify(config))
  writeFileSync(layout.brief, 'Change the greeting.\n')
  const about = { attempt: 1, now: new Date(0), scratch: root.at('scratch') }
  await sealSubmission(work, layout.sealed(1, 'one'), { maxFiles: 10, maxBytes: 1024 }, about)
  const run = { state: 'sealed', attempt: 1, outcome: null, durationMs: null, usage: null, costUsd: null }
  const status = { schemaVersion: 2, contest: 'small', round: 1, fingerprint: 'x', judging: 0, tasks: [], updatedAt: '' }
  writeFileSync(layout.status, JSON.stringify({ ...status, participants: { one: run } }))
  began.length = 0
  const wish = { participant: 'one', project: null, paths: [], runLater: false, allowSecrets: false, describe: () => '' } as const
  const done = await applySubmission(layout.root, { ...wish, to: { kind: 'files', commit: null } }, host)
  expect(done).toMatchObject({ applied: { written: ['greeting'] }, left: 0, copy: null })
  expect(readFileSync(root.at('project', 'greeting'), 'utf8')).toBe('welcome\n')
  expect(JSON.parse(readFileSync(layout.applied, 'utf8'))).toMatchObject({ applied: [{ changes: [{ path: 'greeting' }] }] })
  expect(began.filter((each) => each === 'comparing the copy')).toHaveLength(1)
})
