import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { programRules } from '../../src/config/program-rules.ts'
import { hostProgram, hostSearchPath, refusedProgram, requireHostProgram, setProgramRules } from '../../src/system/host-program.ts'
import { noteWritableTrees } from '../../src/system/writable-trees.ts'
import { isRoot } from '../support/cli.ts'
import { pathsBelow } from '../support/real-cell.ts'
import { temporary } from '../support/temporary.ts'

const name = 'program-of-this-test'
let place: Awaited<ReturnType<typeof temporary>>

/** Writes the program into a directory of the place, and returns the directory. */
function programIn(...names: string[]): string {
  const directory = place.at(...names)
  mkdirSync(directory, { recursive: true })
  writeFileSync(path.join(directory, name), '#!/bin/sh\n', { mode: 0o755 })
  return directory
}

function link(from: string, to: string): string {
  mkdirSync(path.dirname(place.at(from)), { recursive: true })
  symlinkSync(to, place.at(from))
  return place.at(from)
}

function makeRepository(at: string): void {
  for (const each of ['objects', 'refs']) mkdirSync(place.at(at, '.git', each), { recursive: true })
  writeFileSync(place.at(at, '.git/HEAD'), 'ref: refs/heads/main\n')
}

beforeEach(async () => {
  place = await temporary()
  const paths = pathsBelow(place.path)
  for (const each of [paths.state, paths.data, paths.userHome, place.at('cwd')]) mkdirSync(each)
  setProgramRules(programRules(paths, place.at('cwd'), [place.at('own')]))
  noteWritableTrees(paths.state, [place.at('written')])
})
afterEach(async () => {
  setProgramRules(null)
  await place[Symbol.asyncDispose]()
})

test('a directory of PATH that cannot be looked into is left out', () => {
  // A loop of links fails like a directory of another user, also for root.
  const closed = path.join(link('closed', place.at('closed')), 'bin')
  expect(hostSearchPath(`${closed}:${programIn('tools')}`).split(':')).not.toContain(closed)
  expect(hostProgram(name, `${closed}:${place.at('tools')}`)).toBe(place.at('tools', name))
})

describe('a program of PATH that an agent may have put there does not run on the host', () => {
  test.each<[where: string, why: RegExp, make: () => string]>([
    ['the working directory', /in the working directory/, () => programIn('cwd/node_modules/.bin')],
    ['a directory that a cell could write to', /agents could write to/, () => programIn('written/.venv/bin')],
    ["Paddock's own directories", /agents could write to/, () => programIn('state/homes/a/.local/bin')],
    ['the workspace of a fleet', /agents could write to/, () => programIn('data/fleet/work/bin')],
    ['a project that the caller names', /in the project/, () => programIn('project/bin')],
    [
      'a git repository',
      /in the git repository/,
      () => {
        makeRepository('clone')
        return programIn('clone/tools/bin')
      },
    ],
    ['a directory that is a link into one of them', /agents could write to/, () => link('bin', programIn('written/bin'))],
    ['a directory reached through a link in one of them', /agents could write to/, () => link('written/bin', programIn('plain/bin'))],
    [
      'a link to a link in one of them, which leads out again',
      /agents could write to/,
      () => {
        const plain = programIn('plain')
        link('written/tool', path.join(plain, name))
        return path.dirname(link(`bin/${name}`, '../written/tool'))
      },
    ],
  ])('in %s', (_, why, make) => {
    const directory = make()
    const projects = [place.at('project')]
    expect(hostProgram(name, directory, projects)).toBeNull()
    const { message, hint } = refusedProgram(name, directory, projects) ?? { message: '', hint: '' }
    expect(message).toContain(path.join(directory, name))
    expect(message).toMatch(why)
    expect(hint).toContain(`add ${directory} to host.path`)
    expect(() => requireHostProgram(name, directory, 'for a test', projects)).toThrow(message)
  })

  test('whose directory is left out of the PATH of programs that run on the host', () => {
    const directories = [
      programIn('cwd/bin'),
      programIn('written'),
      programIn('project'),
      link('bin', programIn('written/bin')),
      'bin',
      '.',
    ]
    expect(hostSearchPath(directories.join(':'), [place.at('project')])).toBe(hostSearchPath(''))
  })

  test.each(['./bin', 'bin', '', '.'])('in the relative directory "%s"', (entry) => {
    const before = process.cwd()
    programIn('plain/bin')
    writeFileSync(place.at('plain', name), '#!/bin/sh\n', { mode: 0o755 })
    process.chdir(place.at('plain'))
    try {
      expect(hostProgram(name, `${entry}:/usr/bin`)).toBeNull()
    } finally {
      process.chdir(before)
    }
  })

  test.each([
    ['every user', 0o757, 'every user can change it'],
    ['another group', 0o775, 'another group can change it'],
  ])('that %s can change', (who, mode, why) => {
    const directory = programIn('plain/bin')
    if (who === 'another group' && !isRoot) return
    if (isRoot) chownSync(path.join(directory, name), 0, 12_345)
    chmodSync(path.join(directory, name), mode)
    expect(refusedProgram(name, directory)?.message).toContain(why)
    expect(hostProgram(name, directory)).toBeNull()
  })

  test('that belongs to another user', ({ skip }) => {
    skip(!isRoot, 'needs root: it gives a file to another user')
    const directory = programIn('plain/bin')
    chownSync(path.join(directory, name), 12_345, 0)
    expect(refusedProgram(name, directory)?.message).toContain('it belongs to another user')
  })
})

describe('other programs run', () => {
  test('in a directory of PATH of the user, the first one that may', () => {
    const [refused, first, second] = [programIn('written'), programIn('home/.local/bin'), programIn('plain')]
    expect(hostProgram(name, [refused, first, second].join(':'))).toBe(path.join(first, name))
    expect(hostSearchPath([refused, first].join(':')).split(':')).toContain(first)
  })

  test("that the user's own group can change", () => {
    const directory = programIn('plain')
    chmodSync(path.join(directory, name), 0o775)
    expect(hostProgram(name, directory)).toBe(path.join(directory, name))
  })

  test('in a directory of host.path, with any owner and even in a repository', () => {
    makeRepository('own')
    const own = programIn('own')
    if (isRoot) chownSync(path.join(own, name), 12_345, 12_345)
    expect(hostProgram(name, '')).toBe(path.join(own, name))
    expect(hostSearchPath('').split(':')).toContain(own)
  })

  test('of the system first, whatever PATH says', () => {
    const directory = place.at('plain')
    mkdirSync(directory)
    writeFileSync(path.join(directory, 'sh'), '#!/bin/sh\n', { mode: 0o755 })
    expect(hostProgram('sh', directory)).toBe('/usr/bin/sh')
  })

  test('without rules, only those of the system', () => {
    const directory = programIn('plain')
    setProgramRules(null)
    expect(hostProgram(name, directory)).toBeNull()
    expect(hostProgram('sh', directory)).toBe('/usr/bin/sh')
  })
})
