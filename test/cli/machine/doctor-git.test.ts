import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { gitCheck } from '../../../src/cli/machine/doctor-git.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync('/tmp/paddock-doctor-')
})
afterEach(() => rmSync(home, { recursive: true }))
const environment = (): Record<string, string> => ({ PATH: '/usr/bin:/bin', HOME: home, GIT_CONFIG_NOSYSTEM: '1' })

test('A1: doctor suggests safe.bareRepository=explicit', async () => {
  expect(await gitCheck(environment())).toMatchObject([
    { name: 'git', hint: 'To turn that off for all directories, run: git config --global safe.bareRepository explicit' },
  ])
})

test('doctor has no suggestion for a git that obeys no bare repository it finds', async () => {
  writeFileSync(`${home}/.gitconfig`, '[safe]\n\tbareRepository = explicit\n')
  expect((await gitCheck(environment()))[0]).not.toHaveProperty('hint')
})

test('doctor reports that git is not installed, as something that cells work without', async () => {
  expect(await gitCheck(environment(), null)).toMatchObject([
    {
      name: 'git',
      ok: true,
      detail: expect.stringMatching(/^not installed; /),
      hint: expect.stringMatching(/install git$/),
      remedies: [{ kind: 'program', name: 'git' }],
    },
  ])
})
