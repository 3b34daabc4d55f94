import { chmodSync, renameSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Result } from '../../../src/cli/results.ts'
import { inBadPlace, noexecTmp, remounted } from '../../support/bad-places.ts'
import { everyone, makeStage, needsRoot, paddock } from '../../support/cli.ts'

describe.each(everyone)('as %s', (who) => {
  test('a home behind a symbolic link works, and its private home is kept', async () => {
    using stage = makeStage(who)
    const real = path.join(stage.root, 'real')
    renameSync(stage.home, real)
    symlinkSync('real', stage.home)
    stage.own()
    const env = { PADDOCK_HOME: '' }
    const first = await paddock(stage, ['run', '--quiet', '--', 'sh', '-c', 'echo kept > "$HOME/note"; echo "$HOME"'], { env })
    expect([first.stderr, first.code, first.stdout]).toEqual(['', 0, `${stage.home}\n`])
    const second = await paddock(stage, ['run', '--quiet', '--', 'sh', '-c', 'cat "$HOME/note"'], { env })
    expect([second.stderr, second.code, second.stdout]).toEqual(['', 0, 'kept\n'])
  })

  describe('with mounts', () => {
    needsRoot('mounts')

    test('a read-only home is named before anything is created, with the variable that selects another directory', async () => {
      using stage = makeStage(who)
      const { PADDOCK_HOME: _, ...env } = stage.env
      for (const command of [['run', '--', 'true'], ['doctor']]) {
        const ran = await inBadPlace({ ...stage, env }, remounted(stage.home, 'ro'), command)
        expect(ran.stderr).toBe(
          `paddock: FILES_FAILED: ${stage.home}/.local/state/paddock/audit: read-only file system (EROFS, mkdir).\n` +
            "  hint: Check whether you may read and write there; PADDOCK_HOME selects another directory for Paddock's files\n",
        )
        expect(ran.code).toBe(125)
      }
    })

    test('a directory of Paddock that became read-only is named', async () => {
      using stage = makeStage(who)
      const own = stage.env['PADDOCK_HOME'] ?? ''
      expect((await paddock(stage, ['run', '--quiet', '--', 'true'])).code).toBe(0)
      const ran = await inBadPlace(stage, remounted(own, 'ro'), ['run', '--quiet', '--', 'true'])
      expect(ran.stderr).toMatch(
        /CELL_FAILED: The cell could not be started: the file system of \S+\/state\/\S+ is read-only\.\n {2}hint: .*PADDOCK_HOME/,
      )
      expect(ran.code).toBe(125)
    })

    test('a program that cannot run because of noexec is reported with the mount', async () => {
      using stage = makeStage(who)
      stage.put('tool', '#!/bin/sh\necho ran\n')
      chmodSync(path.join(stage.project, 'tool'), 0o755)
      stage.own()
      const place = remounted(stage.project, 'noexec')
      const why = `./tool cannot run, because ${stage.project} is mounted with noexec; root can permit it: mount -o remount,exec ${stage.project}`
      const ran = await inBadPlace(stage, place, ['run', '--', './tool'])
      expect([ran.stderr, ran.code]).toEqual([expect.stringContaining(why), 126])
      const report = JSON.parse((await inBadPlace(stage, place, ['run', '--json', '--', './tool'])).stdout) as Result<'run'>
      expect(report).toMatchObject({ ending: { kind: 'exited', code: 126, why } })
      const other = await inBadPlace(stage, place, ['run', '--', 'sh', '-c', 'exit 126'])
      expect([other.stderr, other.code]).toEqual([expect.not.stringContaining('noexec'), 126])
    })

    test('a noexec /tmp of the host does not stop programs in a cell, which has its own', async () => {
      using stage = makeStage(who)
      const ran = await inBadPlace(stage, noexecTmp(stage), [
        'run',
        '--quiet',
        '--',
        'sh',
        '-c',
        'cp /bin/true /tmp/own && /tmp/own && echo ran',
      ])
      expect([ran.stderr, ran.code, ran.stdout]).toEqual(['', 0, 'ran\n'])
    })
  })
})
