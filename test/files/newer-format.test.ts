import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { userTips } from '../../src/cell/trees/held/user-tips.ts'
import { readHomeRecord } from '../../src/cell/trees/homes/home-record.ts'
import { trust, trustOf } from '../../src/config/trusted-projects.ts'
import { readChecks } from '../../src/contest/checks/run-checks.ts'
import { Layout } from '../../src/contest/config/contest-layout.ts'
import { readIdentity } from '../../src/contest/judging/identity/identity-record.ts'
import { readMapping } from '../../src/contest/judging/mapping.ts'
import { readOrders } from '../../src/contest/judging/orders/orders-record.ts'
import { readApplied } from '../../src/contest/project/applied-file.ts'
import { readSeal } from '../../src/contest/seal/read-seal.ts'
import { openJournal, readStatus } from '../../src/contest/state/contest-state.ts'
import { readProject } from '../../src/contest/state/project-file.ts'
import { readStarts } from '../../src/contest/state/round-start.ts'
import { GitProgress } from '../../src/contest/suite/from-git/git-progress.ts'
import { readJournal } from '../../src/copy/applying/apply-journal.ts'
import { CopyPlace, lookAtRecord, readManifest } from '../../src/copy/copy-record.ts'
import { parseDocument } from '../../src/credentials/vault/vault-schema.ts'
import { forgetAnswer, remember } from '../../src/egress/approvals/remembered.ts'
import { readConversation } from '../../src/fleet/model/conversation-file.ts'
import { addRunMark, runMarks } from '../../src/git/signing/run-marks.ts'
import { recordFile } from '../../src/worktree/worktree-place.ts'
import { allRecords, readRecord } from '../../src/worktree/worktree-record.ts'
import { freshDirectory } from '../support/fresh-directory.ts'

const root = freshDirectory(path.join(tmpdir(), 'newer-format-'))
afterAll(() => rmSync(root, { recursive: true }))
const layout = new Layout(path.join(root, 'contest'))
const copy = new CopyPlace(path.join(root, 'copies'), 'c0ffee')
const paths = { config: root, state: root, data: root, cache: root, userHome: root, userName: 'tester' }
const about = { contest: 'trial', fingerprint: '', participants: [], judges: [] }
const options = { now: () => new Date(), fresh: false }
const asked = { host: 'a.example', port: 443, request: null }

/** Each stored format: its newest version, a file of it, and what reads or changes that file. */
const formats: readonly (readonly [name: string, newest: number, file: string, act: (file: string) => unknown])[] = [
  ['a status', 2, layout.status, () => readStatus(layout)],
  ['a status that --fresh replaces', 2, layout.status, () => openJournal(layout, about, { ...options, fresh: true })],
  ['the start of a round', 1, layout.roundStart(1), () => readStarts(layout, 1)],
  ['a seal', 2, layout.sealed(1, 'one').seal, () => readSeal(layout, 1, 'one')],
  ['results of checks', 2, layout.sealed(1, 'one').checks, (file) => readChecks(file)],
  ['a mapping', 3, layout.mapping(1), (file) => readMapping(file)],
  ['found identities', 1, layout.identity(1), (file) => readIdentity(file)],
  ['found orders', 1, layout.ordersToJudges(1), (file) => readOrders(file)],
  ['the project of a contest', 1, layout.project, () => readProject(layout)],
  ['applies of a contest', 1, layout.applied, () => readApplied(layout)],
  ['the progress of from-git', 1, path.join(root, 'progress.json'), (file) => GitProgress.open(file, '')],
  ['the base of a copy', 1, copy.base, () => readManifest(copy)],
  ['the journal of an apply', 3, copy.journal, (file) => readJournal(file)],
  ['trusted projects', 1, path.join(root, 'trusted.json'), (file) => trustOf(file, '/p', '')],
  ['trusted projects that change', 1, path.join(root, 'trusted.json'), (file) => trust(file, '/p', '')],
  ['remembered answers that change', 1, path.join(root, 'approvals.json'), () => remember(root, asked, true)],
  ['remembered answers that are forgotten', 1, path.join(root, 'approvals.json'), () => forgetAnswer(root, 'x')],
  ['marks of runs', 1, runMarkFile('/p'), () => runMarks('/p', root)],
  ['marks of runs that change', 1, runMarkFile('/p'), () => addRunMark('/p', root, { startedAt: 0, endedAt: 1, heads: [] })],
  ['the record of a home', 1, path.join(root, 'home.json'), () => readHomeRecord(root)],
  [
    "the user's commits",
    1,
    tipsFile(),
    () =>
      userTips(
        path.join(root, 'tips'),
        root,
        () => '',
        () => false,
      ),
  ],
  ['the record of a work tree', 1, recordFile(paths, '/p/.git', 'name'), () => readRecord(paths, '/p/.git', 'name')],
  ['a conversation', 1, path.join(root, 'conversation.json'), (file) => readConversation(file)],
  ['a vault', 1, path.join(root, 'vault.json'), (file) => parseDocument(readFileSync(file), file)],
]

function runMarkFile(project: string): string {
  return path.join(root, 'signing', `${createHash('sha256').update(project).digest('hex').slice(0, 16)}.json`)
}

function tipsFile(): string {
  const { dev, ino, birthtimeMs } = statSync(root)
  return path.join(root, 'tips', `${dev}-${ino}-${Math.trunc(birthtimeMs)}.json`)
}

test.each(formats)('a newer version of %s is refused with one sentence, and stays as it is', async (_, newest, file, act) => {
  const write = (schemaVersion: number): string => {
    const text = JSON.stringify({ schemaVersion, ofANewerVersion: true })
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
    return text
  }
  const message = async (): Promise<unknown> => {
    try {
      return await act(file)
    } catch (error) {
      return (error as Error).message
    }
  }
  try {
    const text = write(newest + 1)
    expect(await message()).toBe(
      `${file} was written by a newer Paddock (schemaVersion ${newest + 1}; this one reads ${newest}), and was not changed.`,
    )
    expect(readFileSync(file, 'utf8')).toBe(text)
    write(newest)
    expect(String(await message())).not.toContain('newer Paddock')
  } finally {
    rmSync(file, { force: true })
  }
})

test('a newer version of the record of a copy is reported, so that the copy stays', async () => {
  mkdirSync(copy.directory, { recursive: true })
  writeFileSync(copy.record, '{"schemaVersion":2}')
  expect(await lookAtRecord(copy)).toMatch(/^record\.json was written by a newer Paddock/)
})

test('a record of a work tree that cannot be read is listed with the reason, and hides no other', () => {
  const file = (name: string): string => recordFile(paths, '/p/.git', name)
  const good = { schemaVersion: 1, name: 'good', project: '/p', common: '/p/.git', directory: '/t', base: '', createdAt: '', isReady: true }
  mkdirSync(path.dirname(file('good')), { recursive: true })
  writeFileSync(file('good'), JSON.stringify({ ...good, entries: [] }))
  writeFileSync(file('newer'), JSON.stringify({ ...good, schemaVersion: 2 }))
  writeFileSync(file('torn'), '{"schemaVersion"')
  const { records, unreadable } = allRecords(paths)
  expect(records.map((each) => each.name)).toEqual(['good'])
  expect([...unreadable].sort((a, b) => (a.file < b.file ? -1 : 1))).toEqual([
    { file: file('newer'), why: expect.stringMatching(/newer\.json was written by a newer Paddock \(schemaVersion 2; this one reads 1\)/) },
    { file: file('torn'), why: `${file('torn')} is not the record of a work tree.` },
  ])
})
