import { copyFile, mkdir, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { writeHistory } from '../../../copy/taking/commit-history.ts'
import type { RepositoryCopy } from '../../../copy/taking/repository-copy.ts'
import { walk } from '../../../files/walk.ts'
import { Layout } from '../../config/contest-layout.ts'
import { contestSchema } from '../../config/contest-schema.ts'
import type { ContestDeps } from '../../state/contest-deps.ts'
import { type RequiredTests, requiredTests } from './compare-runs.ts'
import { copyPackages, packagesFor } from './installed-packages.ts'
import type { Candidate } from './past-commits.ts'
import { restoredPatterns, roleOf } from './restored-files.ts'
import { type OwnCommand, runnerOf, type TestRunner } from './test-runners.ts'
import { runTests, type TestRun } from './try-tests.ts'

const mostFiles = 20_000
const timeout = '10m'
const programs = ['test-report.mjs', 'restore-tests.mjs'].map((name) => fileURLToPath(new URL(`./${name}`, import.meta.url)))

export interface MakeOptions {
  readonly repository: RepositoryCopy
  readonly own: OwnCommand | null
  readonly hasPytest: () => Promise<boolean>
  readonly repeats: number
  readonly history: boolean
  readonly deps: Pick<ContestDeps, 'startCell' | 'signal' | 'now' | 'paths'>
  /** A host directory for temporary files of this commit. */
  readonly scratch: string
}

/**
 * Makes the brief of a commit in the directory `making`, which must exist. Runs its tests before and after the commit, in cells. Returns the
 * tests that a submission must pass, or the reason why the commit is left out.
 */
export async function makeBrief(
  candidate: Candidate,
  making: string,
  options: MakeOptions,
): Promise<RequiredTests | { readonly reason: string }> {
  const { repository, deps, repeats } = options
  const [start, oracle] = ['start', 'oracle'].map((each) => path.join(making, each)) as [string, string]
  const left: string[] = []
  for (const [ref, target] of [
    [candidate.parent, start],
    [candidate.commit, oracle],
  ] as const) {
    const { entries, notes } = await repository.filesOf(ref, target)
    if (entries.length > mostFiles) return { reason: `it has more files than a submission may have (${mostFiles})` }
    left.push(...notes)
    // A submission has no links, so the tests must pass without them.
    for (const each of entries) if ('target' in each) await unlink(path.join(target, each.path))
  }
  if (left.length > 0) return { reason: left[0] ?? '' }
  const hasPytest = candidate.tests.some((each) => each.endsWith('.py')) && (await options.hasPytest())
  const runner = await runnerOf(oracle, candidate.tests, { own: options.own, hasPytest })
  if (runner === null) return { reason: 'no test runner is known for its tests: name a command with --test' }
  const packages = await packagesFor(runner, repository.project, { before: start, after: oracle })
  if ('reason' in packages) return packages
  if (packages.directory !== null) {
    const failed = await copyPackages(repository.project, packages.directory, path.join(making, 'raw'))
    if (failed !== null) return { reason: failed }
  }
  await writeCheck(making, oracle, runner, packages.directory)
  const raw = packages.directory === null ? null : path.join(making, 'raw')
  const scene = { ...sceneOf(making, runner, raw), format: runner.format, deps, scratch: options.scratch }
  const [before, after]: [TestRun[], TestRun[]] = [[], []]
  let required: ReturnType<typeof requiredTests> = { reason: '' }
  // A commit that cannot become a brief is mostly known after one run of each.
  for (let round = 0; round < repeats; round += 1) {
    after.push(await runTests(scene, oracle))
    before.push(await runTests(scene, start))
    required = requiredTests(before, after)
    if ('reason' in required) return required
  }
  if ('reason' in required) return required
  await writeFile(path.join(making, 'check/required.json'), `${JSON.stringify([...required.fixed, ...required.kept], null, 1)}\n`)
  if (options.history) await writeHistory(start, candidate.parent, repository, options.scratch)
  await writeFile(path.join(making, 'BRIEF.md'), briefOf(candidate, packages.directory))
  const { checks } = scene.contest.config
  const yaml = {
    schemaVersion: 1,
    tags: [runner.language, 'from-git'],
    fromCommit: candidate.commit,
    start: 'start',
    oracle: 'oracle',
    checks: checks.map(({ name, run, verify, inputs, files }) => ({ name, run, verify, inputs, files, timeout })),
  }
  await writeFile(path.join(making, 'brief.yaml'), stringify(yaml))
  return required
}

/** Writes the files of the check: the tests and the configuration of the fix, and the programs that restore and read them. */
async function writeCheck(making: string, oracle: string, { script }: TestRunner, packages: string | null): Promise<void> {
  const [tests, check] = [path.join(making, 'tests'), path.join(making, 'check')]
  await mkdir(path.join(tests, 'files'), { recursive: true })
  await mkdir(check)
  for await (const entry of walk(oracle, { maxEntries: mostFiles * 2 + 1000, maxDepth: 200 })) {
    const file = entry.names.map(String).join('/')
    if (entry.kind !== 'file' || !['test', 'configuration'].includes(roleOf(file))) continue
    const target = path.join(tests, 'files', file)
    await mkdir(path.dirname(target), { recursive: true })
    await copyFile(path.join(oracle, file), target)
  }
  await writeFile(
    path.join(tests, 'restore.json'),
    JSON.stringify({ patterns: restoredPatterns, packages: packages === null ? [] : [packages] }),
  )
  const [report = '', restore = ''] = programs
  await copyFile(report, path.join(check, path.basename(report)))
  await copyFile(restore, path.join(tests, path.basename(restore)))
  const lines = [
    '# Replaces the tests of the submission, and the configuration of their runner, by those of the fix, and runs them.',
    'node /inputs/restore-tests.mjs /inputs || exit 1',
    'set -- /result',
    script,
  ]
  await writeFile(path.join(tests, 'run.sh'), `${lines.join('\n')}\n`)
}

function sceneOf(making: string, { format }: TestRunner, raw: string | null) {
  const check = {
    name: 'tests',
    run: 'sh /inputs/run.sh',
    verify: `node /check/test-report.mjs verify ${format} /result /check/required.json`,
    inputs: 'tests',
    files: 'check',
    timeout,
  }
  const config = contestSchema.parse({
    schemaVersion: 1,
    name: 'commit',
    participants: [{ name: 'commit', agent: 'command' }],
    checks: [check],
  })
  const [parsed] = config.checks
  if (parsed === undefined) throw new Error('the check was not parsed')
  return { contest: { config, layout: new Layout(making), root: making, masks: [], raw }, check: parsed }
}

function briefOf({ message }: Candidate, packages: string | null): string {
  const [subject = '', ...rest] = message.split('\n')
  const body = rest.join('\n').trim()
  return [
    `# ${subject}`,
    ...(body === '' ? [] : ['', body]),
    '',
    'Your working directory has the files of the project as they were before this change. Make the change.',
    '',
    'Tests that you do not see decide. Before they run, all tests and the configuration of the test runner are replaced, so changes to them do not',
    'count. What works now must keep working.',
    ...(packages === null
      ? []
      : ['', `Installed packages are in /contest/raw/${packages}. To use them: \`ln -s /contest/raw/${packages} ${packages}\``]),
    '',
  ].join('\n')
}
