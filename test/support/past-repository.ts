import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** A repository that a test makes commit by commit. */
export interface PastRepository {
  readonly directory: string
  git(...args: readonly string[]): string
  /** Writes files (null: removes one) and commits everything, at the time `at` if it is given. Returns the commit. */
  commit(message: string, files: Readonly<Record<string, string | null>>, at?: string): string
}

export function pastRepository(directory: string, format = 'sha1'): PastRepository {
  mkdirSync(directory, { recursive: true })
  const gitAt = (at: string | null, ...args: readonly string[]): string =>
    execFileSync(
      'git',
      [
        '-C',
        directory,
        '-c',
        'safe.directory=*',
        '-c',
        'user.name=a',
        '-c',
        'user.email=a@example.org',
        '-c',
        'commit.gpgSign=false',
        ...args,
      ],
      {
        encoding: 'utf8',
        env: {
          ...{ PATH: '/usr/bin:/bin', HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' },
          ...(at === null ? {} : { GIT_COMMITTER_DATE: at, GIT_AUTHOR_DATE: at }),
        },
      },
    ).trim()
  const git = (...args: readonly string[]): string => gitAt(null, ...args)
  git('init', '-q', '-b', 'main', `--object-format=${format}`)
  return {
    directory,
    git,
    commit: (message, files, at) => {
      for (const [name, text] of Object.entries(files)) {
        const file = path.join(directory, name)
        mkdirSync(path.dirname(file), { recursive: true })
        if (text === null) rmSync(file)
        else writeFileSync(file, text)
      }
      git('add', '-A')
      gitAt(at ?? null, 'commit', '-q', '-m', message)
      return git('rev-parse', 'HEAD')
    },
  }
}

/** Files of a small project with `node --test`, and of its fix. */
export const nodeFiles = {
  before: {
    'package.json': '{ "type": "module" }\n',
    'sum.js': 'export const sum = (list) => list.reduce((a, b) => a + b)\nexport const twice = (n) => 2 * n\n',
    'test/sum.test.js': `import { strictEqual } from 'node:assert'
import { test } from 'node:test'
import { sum, twice } from '../sum.js'
test('adds', () => strictEqual(sum([1, 2]), 3))
test('doubles', () => strictEqual(twice(4), 8))
`,
  },
  after: {
    'sum.js': 'export const sum = (list) => list.reduce((a, b) => a + b, 0)\nexport const twice = (n) => 2 * n\n',
    'test/sum.test.js': `import { strictEqual } from 'node:assert'
import { test } from 'node:test'
import { sum, twice } from '../sum.js'
test('adds', () => strictEqual(sum([1, 2]), 3))
test('adds nothing', () => strictEqual(sum([]), 0))
test('doubles', () => strictEqual(twice(4), 8))
`,
  },
} as const
