import { existsSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { installedHere, missingOf } from '../../../src/contest/suite/harbor/machine.ts'
import { temporary } from '../../support/temporary.ts'

test('asking what is installed runs nothing of the directory that the user is in', async () => {
  await using root = await temporary()
  for (const name of ['json', 'importlib', 'sitecustomize', 'usercustomize'])
    writeFileSync(root.at(`${name}.py`), `open(${JSON.stringify(root.at('ran'))}, "w").close()\n`)
  const before = process.cwd()
  process.chdir(root.path)
  process.env['PYTHONPATH'] = root.path
  try {
    await installedHere(process.env['PATH'] ?? '')
  } finally {
    process.chdir(before)
    delete process.env['PYTHONPATH']
  }
  expect(existsSync(root.at('ran'))).toBe(false)
})

test('packages are looked up by their normal names, and versions that differ are reported', () => {
  const installed = {
    debian: new Set(['git']),
    python: new Map([['scikit-learn', '1.5']]),
    hasProgram: (name: string) => name === 'jq',
  }
  const found = missingOf(
    { apt: ['git', 'jq', 'nano'], pip: ['Scikit_Learn==1.4', 'scikit.learn[all]', 'pandas'], programs: ['python3'] },
    installed,
  )
  expect(found).toEqual({
    missing: ['the Debian package nano', 'the Python package pandas', 'the program python3'],
    notes: ['Scikit_Learn is 1.5 here, and the task names 1.4'],
  })
})
