import { execFileSync } from 'node:child_process'
import { createHash, createPublicKey } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Statement } from '../../../src/attest/statement-schema.ts'
import { everyone, inCell, makeStage, paddock } from '../../support/cli.ts'
import { fiveForAll, makeContestStage } from '../../support/contest-stage.ts'
import { going } from '../../support/going.ts'
import { sigstoreAccepts } from '../../support/sigstore.ts'

/** Writes files like the reports of cells, at the places where a careless search would find them. */
const forged = `for at in . a/attempts/1; do mkdir -p $at; echo '{"cell":"ffffffffffff"}' > $at/cell.json; done`

test.each(everyone)('what was applied can be attested, and another program and another user can verify it, as %s', async (who) => {
  using stage = makeStage(who)
  using other = makeStage(who)
  const git = (...words: string[]): string =>
    execFileSync('git', ['-C', stage.project, '-c', 'safe.directory=*', ...words], { encoding: 'utf8' }).trim()
  git('init', '-q')
  git('config', 'user.name', 'a')
  git('config', 'user.email', 'a@a.test')
  git('commit', '-q', '--allow-empty', '-m', 'first')
  const base = git('rev-parse', 'HEAD')
  stage.own()
  expect((await inCell(stage, 'echo new > "näme"', { args: ['--copy'] })).code).toBe(0)
  const { copies } = JSON.parse((await paddock(stage, ['review', '--list', '--json'])).stdout) as { copies: { id: string }[] }
  const id = copies[0]?.id ?? ''
  expect((await paddock(stage, ['attest', 'make', id])).stderr).toContain(`The audit log has no cell, applied copy or job "${id}"`)
  expect(await paddock(stage, ['attest', 'verify', 'none'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no key for statements'),
  })
  expect((await paddock(stage, ['apply', '--commit'])).code).toBe(0)
  const commit = git('rev-parse', 'HEAD')

  const file = path.join(stage.root, 'paddock/work.json')
  const wrote = await paddock(stage, ['attest', 'make', id, '--output', file])
  expect([wrote.code, wrote.stdout]).toEqual([0, expect.stringContaining(`apply ${id} by command`)])
  const envelope = JSON.parse(readFileSync(file, 'utf8'))
  const { subject, predicate } = JSON.parse(Buffer.from(envelope.payload, 'base64').toString())
  const sha256 = createHash('sha256').update('new\n').digest('hex')
  expect(subject).toEqual([
    { name: 'git', digest: { gitCommit: commit } },
    { name: 'näme', digest: { sha256 } },
  ])
  expect(predicate).toMatchObject({ kind: 'apply', base: { gitCommit: base }, cells: [{ exitCode: 0, hostsReached: [] }] })

  const pem = (await paddock(stage, ['attest', 'key'])).stdout
  expect(sigstoreAccepts(envelope, createPublicKey(pem))).toBe(true)
  expect(await paddock(stage, ['attest', 'verify', file, '--subject', commit])).toMatchObject({ code: 0 })
  writeFileSync(path.join(other.project, 'key.pem'), pem)
  writeFileSync(path.join(other.project, 'work.json'), readFileSync(file))
  other.own()
  const verified = await paddock(other, ['attest', 'verify', 'work.json', '--key', 'key.pem'])
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringMatching(/^valid: signed with the key [0-9a-f]{64}\n/)])
  expect(await paddock(other, ['attest', 'verify', 'work.json', '--key', 'key.pem', '--subject', base])).toMatchObject({
    code: 1,
    stdout: `not valid: The statement is not about ${base}.\n`,
  })
  await paddock(other, ['attest', 'key'])
  expect(await paddock(other, ['attest', 'verify', 'work.json'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('did not sign'),
  })
  expect(await paddock(other, ['attest', 'verify', 'work.json', '--key', 'work.json'])).toMatchObject({ code: 2 })
})

test.each(everyone)(
  'the result of a contest can be attested, and a cell.json that an agent wrote counts for nothing, as %s',
  async (who) => {
    using at = makeContestStage(who, { one: 'echo 1 > answer', two: `${forged}; echo 2 > answer` }, { judge: fiveForAll })
    expect((await inCell(at.stage, 'true')).code).toBe(0)
    expect((await paddock(at.stage, ['attest', 'make', at.contest])).stderr).toContain('has no current report')
    expect((await paddock(at.stage, ['contest', 'run', at.contest])).code).toBe(0)
    const { stdout, code, stderr } = await paddock(at.stage, ['attest', 'make', at.contest, '--json'])
    expect([code, stderr]).toEqual([0, ''])
    const { subject, predicate } = (JSON.parse(stdout) as { statement: Statement }).statement
    const files = ['report/summary.json', 'rounds/1/sealed/one/out.tar', 'rounds/1/sealed/two/out.tar']
    expect(subject.map(({ name }) => name).toSorted()).toEqual(files)
    for (const { name, digest } of subject)
      expect(digest).toEqual({
        sha256: createHash('sha256')
          .update(readFileSync(path.join(at.contest, name)))
          .digest('hex'),
      })
    const names = predicate.cells.map(({ name }) => name)
    expect([...new Set(names)].toSorted()).toEqual(['contest judge judge', 'contest participant one', 'contest participant two'])
    expect(predicate).toMatchObject({ kind: 'contest', cellsNotInLog: 0, contest: { round: 1, participants: [{ agent: 'command' }, {}] } })
  },
)

test.each(everyone)('ids of ended work are completed for a statement, and those of all cells for the log, as %s', async (who) => {
  using stage = makeStage(who)
  stage.put('trial/contest.yaml', '')
  stage.own()
  const completed = async (kind: string, word = ''): Promise<readonly string[]> =>
    (await paddock(stage, ['completion-values', kind, '--', word])).stdout.split('\n').slice(0, -1).toSorted()
  expect(await completed('ended-work')).toEqual(['trial'])
  expect((await inCell(stage, 'echo new > made', { args: ['--copy'] })).code).toBe(0)
  const { copies } = JSON.parse((await paddock(stage, ['review', '--list', '--json'])).stdout) as { copies: { id: string }[] }
  const copy = copies[0]?.id ?? ''
  const [cell = '', ...more] = await completed('logged-cells')
  expect([cell, more]).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/), []])
  // A copy is work only after it was applied.
  expect(await completed('ended-work')).toEqual([cell, 'trial'].toSorted())
  expect((await paddock(stage, ['apply'])).code).toBe(0)
  expect(await completed('ended-work')).toEqual([cell, copy, 'trial'].toSorted())
  const run = going(stage, ['run', '--egress', 'off', '--', 'sh', '-c', 'echo started; cat'])
  await run.says('started')
  expect(await completed('ended-work')).toEqual([cell, copy, 'trial'].toSorted())
  expect(await completed('logged-cells')).toHaveLength(2)
  expect(await completed('ended-work', cell.slice(0, 9))).toEqual([cell])
  run.child.stdin?.end()
  await run.ended
})
