import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyone, makeStage, paddock } from '../../support/cli.ts'

describe.each(everyone)('ordinary trouble is one sentence without a stack, as %s', (who) => {
  const oneSentence = (stderr: string, what: RegExp): void => {
    expect(stderr).toMatch(what)
    expect(stderr).not.toMatch(/fault of Paddock|\n\s+at |node:internal/)
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2)
  }

  test.each([['run', '--', 'true'], ['trust'], ['review'], ['config', 'show'], ['doctor'], ['audit', 'verify']])(
    'Paddock’s own directory is a file: paddock %s %s',
    async (...words) => {
      using stage = makeStage(who)
      rmSync(stage.env['PADDOCK_HOME'] ?? '', { recursive: true })
      writeFileSync(stage.env['PADDOCK_HOME'] ?? '', '')
      stage.own()
      const ran = await paddock(stage, words)
      if (ran.code === 0) return
      expect(ran.stderr).not.toMatch(/fault of Paddock|\n\s+at |node:internal/)
      expect([1, 2, 125]).toContain(ran.code)
      expect(ran.stderr).toMatch(/^paddock: /m)
    },
  )

  test('the list of trusted projects is a directory', async () => {
    using stage = makeStage(who)
    stage.put('.paddock.yaml', 'schemaVersion: 1\nrun:\n  copy: true\n')
    mkdirSync(path.join(stage.env['PADDOCK_HOME'] ?? '', 'state/trusted.json'), { recursive: true })
    stage.own()
    const ran = await paddock(stage, ['trust'])
    expect(ran.code).toBe(125)
    oneSentence(ran.stderr, /^paddock: .*(EISDIR|cannot be read)/)
  })

  test('the directory that it is started in is gone', async () => {
    using stage = makeStage(who)
    const gone = path.join(stage.root, 'gone')
    mkdirSync(gone, { mode: 0o777 })
    chmodSync(gone, 0o777)
    const ran = await paddock(stage, ['review'], { shell: `cd ${gone} && rmdir ${gone} && exec` })
    expect(ran.code).toBe(125)
    oneSentence(ran.stderr, /The directory that you are in cannot be read or is gone/)
  })

  test('a reader of what Paddock says that goes away ends no cell, and the log has its end', async () => {
    using stage = makeStage(who)
    const ran = await paddock(stage, ['run', '--', 'sh', '-c', 'sleep 0.3; echo done > mark'], {
      shell: 'f() { { "$@"; echo $? > code; } 2>&1 >/dev/null | true; }; f',
    })
    expect(ran.code).toBe(0)
    expect([stage.read('code'), stage.read('mark')]).toEqual(['0\n', 'done\n'])
    expect(readFileSync(path.join(stage.env['PADDOCK_HOME'] ?? '', 'state/audit/audit.jsonl'), 'utf8')).toContain('cell.end')
  })

  test('a standard output that accepts nothing is reported, and does not count as success', async () => {
    using stage = makeStage(who)
    const ran = await paddock(stage, ['config', 'show', '--json'], { shell: 'f() { "$@" > /dev/full; }; f' })
    expect(ran.code).toBe(125)
    oneSentence(ran.stderr, /^paddock: the output could not be written to standard output \(ENOSPC\)$/m)
  })

  test('a log that was removed does not have the hash that was noted', async () => {
    using stage = makeStage(who)
    await paddock(stage, ['run', '--quiet', '--', 'true'])
    const noted = (JSON.parse((await paddock(stage, ['audit', 'verify', '--json'])).stdout) as { head: { hash: string } }).head.hash
    expect((await paddock(stage, ['audit', 'verify', '--head', noted])).code).toBe(0)
    rmSync(path.join(stage.env['PADDOCK_HOME'] ?? '', 'state/audit'), { recursive: true })
    const ran = await paddock(stage, ['audit', 'verify', '--head', noted])
    expect(ran.code).toBe(1)
    expect(ran.stdout + ran.stderr).toMatch(/the log has no lines, and so none with the hash that was noted/)
  })

  test('answers that cannot be read are reported, and none is remembered', async () => {
    using stage = makeStage(who)
    const file = path.join(stage.env['PADDOCK_HOME'] ?? '', 'config/approvals.json')
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, '{ "schemaVersion": 1, "answers": [], }')
    stage.own()
    const listed = await paddock(stage, ['approvals'])
    expect([listed.code, listed.stderr]).toEqual([0, expect.stringContaining(`${file} cannot be read: remembered answers are ignored`)])
    const kept = await paddock(stage, ['approvals', 'allow', '00000000', '--for', 'always'])
    expect(kept.code).toBe(125)
    oneSentence(kept.stderr, /no answer can be remembered/)
  })
})
