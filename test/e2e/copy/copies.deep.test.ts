import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { both, inCell, isRoot, makeStage, paddock, type Stage } from '../../support/cli.ts'

describe.each(both)('the copies of a user, as %s', (who) => {
  let stage: Stage
  let all: string
  beforeEach(() => {
    stage = makeStage(who)
    stage.put('kept', 'kept\n')
    stage.own()
    all = path.join(stage.root, 'paddock/state/copies')
  })
  afterEach(() => stage[Symbol.dispose]())

  const names = (): string[] => readdirSync(all).filter((each) => !each.endsWith('.lock'))
  const makeCopy = async (): Promise<string> => {
    const before = existsSync(all) ? names() : []
    await inCell(stage, 'echo more >> kept', { args: ['--copy'] })
    return names().find((each) => !before.includes(each)) ?? 'no copy'
  }

  it.each([
    ['', 'record.json is empty'],
    ['{', 'record.json is not JSON'],
    ['{"schemaVersion":1}', 'record.json is of another version of Paddock, or was changed'],
    ['{"schemaVersion":2}', 'record.json was written by a newer Paddock'],
  ])('one with the record %j is listed, named by every command, and can be deleted', async (content, why) => {
    const id = await makeCopy()
    writeFileSync(path.join(all, id, 'record.json'), content)
    const listed = await paddock(stage, ['review', '--list'])
    expect(listed.stdout).toBe(`${id}  unreadable  ${path.join(all, id)} · ${why}\n`)
    expect(JSON.parse((await paddock(stage, ['review', '--list', '--json'])).stdout)).toMatchObject({ unreadable: [{ id, why }] })
    for (const each of ['review', 'apply']) {
      const refused = await paddock(stage, [each, id])
      expect([refused.code, refused.stderr.includes(why), refused.stderr.includes(path.join(all, id, 'tree'))]).toEqual([125, true, true])
    }
    expect((await paddock(stage, ['discard', id])).code).toBe(0)
    expect(names()).toEqual([])
  })

  it('a copy whose deletion was killed does not count as a copy, and goes with the next clean or the next copy', async () => {
    const id = await makeCopy()
    renameSync(path.join(all, id), path.join(all, `${id}.going`))
    expect((await paddock(stage, ['review', '--list'])).stdout).toBe('')
    expect((await paddock(stage, ['clean', '--dry-run'])).stderr).toContain(`would remove broken-off copy ${path.join(all, `${id}.going`)}`)
    expect((await paddock(stage, ['clean'])).code).toBe(0)
    expect(names()).toEqual([])
    mkdirSync(path.join(all, '01234567.going/tree'), { recursive: true })
    stage.own()
    const next = await makeCopy()
    expect(names()).toEqual([next])
  })

  it('a deletion that is broken off leaves nothing that is taken for a copy', async ({ skip }) => {
    skip(who === 'root' || !isRoot, 'needs what its user may not delete: tests that run as root, and a user')
    const id = await makeCopy()
    const closed = path.join(all, id, 'tree')
    // A file that cannot be deleted interrupts the discard, like a kill.
    mkdirSync(path.join(closed, 'theirs'))
    writeFileSync(path.join(closed, 'theirs/file'), '')
    chmodSync(path.join(closed, 'theirs'), 0o755)
    const failed = await paddock(stage, ['discard', id])
    expect(failed.code).not.toBe(0)
    expect(names()).toEqual([`${id}.going`])
    const log = await paddock(stage, ['audit', 'tail'])
    expect(log.stdout).toContain('copy.discarded')
    expect((await paddock(stage, ['review', '--list'])).stdout).toBe('')
  })

  it('a directory of copies that cannot be read is reported', async () => {
    await makeCopy()
    renameSync(all, `${all}.away`)
    writeFileSync(all, '')
    const listed = await paddock(stage, ['review', '--list'])
    expect([listed.code, listed.stderr.includes('The copies cannot be read')]).toEqual([125, true])
    expect(readFileSync(all, 'utf8')).toBe('')
  })
})
