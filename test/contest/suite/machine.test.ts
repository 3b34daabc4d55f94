import { existsSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { StartCell } from '../../../src/cell/cell.ts'
import { installedHere, missingOf } from '../../../src/contest/suite/harbor/machine.ts'
import { openBench } from '../../support/contest-bench.ts'
import { temporary } from '../../support/temporary.ts'

test('asking what is installed runs nothing of the directory that the user is in', async () => {
  await using root = await temporary()
  await using bench = await openBench()
  for (const name of ['json', 'importlib', 'sitecustomize', 'usercustomize'])
    writeFileSync(root.at(`${name}.py`), `open(${JSON.stringify(root.at('ran'))}, "w").close()\n`)
  const before = process.cwd()
  process.chdir(root.path)
  process.env['PYTHONPATH'] = root.path
  try {
    await installedHere(bench.deps, root.at('scratch'))
  } finally {
    process.chdir(before)
    delete process.env['PYTHONPATH']
  }
  expect(existsSync(root.at('ran'))).toBe(false)
})

test('a cell that does not start does not make everything missing', async () => {
  await using root = await temporary()
  await using bench = await openBench()
  const ending = { kind: 'start-failed', message: 'no room' } as const
  const startCell: StartCell = async (...wish) => {
    const cell = await bench.deps.startCell(...wish)
    return { ...cell, stdout: cell.stdout, stderr: cell.stderr, done: cell.done.then((report) => ({ ...report, ending })) }
  }
  await expect(installedHere({ ...bench.deps, startCell }, root.at('scratch'))).rejects.toThrow('could not be listed in a cell: no room')
})

test('packages are looked up by their normal names, and versions that differ are reported', () => {
  const installed = {
    debian: new Set(['git']),
    python: new Map([['scikit-learn', '1.5']]),
    pythonVersion: '3.11',
    hasProgram: (name: string) => name === 'jq',
  }
  const found = missingOf(
    {
      apt: ['git', 'jq', 'nano'],
      pip: ['Scikit_Learn==1.4', 'scikit.learn[all]', 'pandas'],
      programs: ['python3'],
      aliases: [],
      pythons: ['3.11', '3.13', '3.13'],
      given: [],
    },
    installed,
  )
  expect(found).toEqual({
    missing: ['the Debian package nano', 'the Python package pandas', 'the program python3'],
    notes: ['Scikit_Learn is 1.5 here, and the task names 1.4', 'python3 is 3.11 here, and the task names 3.13'],
    aliases: [],
  })
})

test('another name for a program needs the program, and is made only if it is missing', () => {
  const installed = {
    debian: new Set<string>(),
    python: new Map<string, string>(),
    pythonVersion: null,
    hasProgram: (name: string) => ['python3', 'vi', 'view', '/usr/lib/x/tool'].includes(name),
  }
  const found = missingOf(
    {
      apt: [],
      pip: [],
      programs: [],
      aliases: [
        { name: 'python', program: '/usr/bin/python3' },
        { name: 'view', program: '/usr/bin/vi' },
        { name: 'tool', program: '/usr/lib/x/tool' },
        { name: 'nodejs', program: '/usr/bin/node' },
      ],
      pythons: [],
      given: [],
    },
    installed,
  )
  expect(found).toEqual({
    missing: ['the program node'],
    aliases: [
      { name: 'python', program: 'python3' },
      { name: 'tool', program: '/usr/lib/x/tool' },
    ],
    notes: [
      'python is not a program here: its tests get python3 under this name, and participants do not',
      'tool is not a program here: its tests get tool under this name, and participants do not',
    ],
  })
})

test('what Paddock puts in the place of a program or package is not missing', () => {
  const installed = { debian: new Set<string>(), python: new Map([['pandas', '2.0']]), pythonVersion: '3.11', hasProgram: () => false }
  const wishes = {
    programs: [],
    aliases: [],
    pythons: [],
    apt: ['curl', 'python3-pandas', 'python3-pip'],
    pip: ['pytest_json_ctrf==0.3.5'],
  }
  expect(missingOf({ ...wishes, given: ['curl', 'pip', 'pytest-json-ctrf'] }, installed).missing).toEqual([])
})
