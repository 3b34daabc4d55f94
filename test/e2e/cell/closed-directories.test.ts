import { chmodSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyone, inCell, makeStage } from '../../support/cli.ts'

const repository = (at: string): string =>
  `mkdir -p ${at}/objects ${at}/refs && printf 'ref: refs/heads/main\\n' > ${at}/HEAD && printf '[core]\\n\\tfsmonitor = touch ../../ran\\n' > ${at}/config`

describe.each(everyone)('directories that a cell closed to their owner are searched all the same, as %s', (who) => {
  test.each([
    ['searchable but not readable', `mkdir a && ${repository('a/.git')} && chmod 0311 a`, 'a'],
    ['not writable', `mkdir a && ${repository('a/.git')} && chmod 0555 a`, 'a'],
    ['no rights at all, inside of another', `mkdir -p a/b && ${repository('a/b/.git')} && chmod 0 a/b && chmod 0111 a`, 'a/b'],
    ['the repository itself', `mkdir a && ${repository('a/.git')} && chmod 0311 a/.git`, 'a'],
  ])('%s', async (_, script, directory) => {
    using stage = makeStage(who)
    expect((await inCell(stage, script)).code).toBe(0)
    const at = path.join(stage.project, directory)
    expect(readdirSync(path.join(at, '.git')).sort()).toEqual(['HEAD', 'config', 'config.quarantined', 'objects', 'refs'])
    expect(readFileSync(path.join(at, '.git/config'), 'utf8')).not.toContain('fsmonitor')
  })

  test('the project itself', async () => {
    using stage = makeStage(who)
    const ran = await inCell(stage, `mkdir a && ${repository('a/.git')} && chmod 0311 .`)
    expect(ran.code).toBe(0)
    expect(readdirSync(path.join(stage.project, 'a'))).toEqual(['.git'])
    expect(readFileSync(path.join(stage.project, 'a/.git/config'), 'utf8')).not.toContain('fsmonitor')
    expect(lstatSync(stage.project).mode & 0o700).toBe(0o700)
  })

  test('a directory that was closed before stays as it is', async () => {
    using stage = makeStage(who)
    stage.put('kept/file', 'x')
    stage.own()
    chmodSync(path.join(stage.project, 'kept'), 0o500)
    expect((await inCell(stage, 'cat kept/file')).code).toBe(0)
    expect(lstatSync(path.join(stage.project, 'kept')).mode & 0o777).toBe(0o500)
  })
})
