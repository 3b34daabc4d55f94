import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { makeStage, paddock, type Ran, type Stage, type Who } from './cli.ts'

/** A repository of the user, and a contest that was created from it. */
export interface ProjectStage extends Disposable {
  readonly stage: Stage
  readonly contest: string
  git(...args: readonly string[]): string
  run(step: string, ...args: readonly string[]): Promise<Ran>
  project(file: string): string
}

export async function makeProjectStage(
  who: Who,
  lines: Readonly<Record<string, string>>,
  judge?: string,
  more: readonly string[] = [],
): Promise<ProjectStage> {
  const stage = makeStage(who)
  const git = (...args: readonly string[]): string => {
    const said = execFileSync('git', ['-c', 'safe.directory=*', '-C', stage.project, ...args]).toString()
    stage.own()
    return said
  }
  writeFileSync(`${stage.home}/.gitconfig`, '[user]\n\tname = A Person\n\temail = a@host.example\n')
  stage.put('code', 'one\ntwo\nthree\n')
  stage.put('gone', 'x\n')
  stage.put('script', 'echo\n')
  stage.put('.gitignore', 'ignored/\n')
  symlinkSync('code', path.join(stage.project, 'link'))
  chmodSync(path.join(stage.project, 'code'), 0o664)
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('-c', 'user.name=A', '-c', 'user.email=a@host.example', 'commit', '-qm', 'first')
  stage.put('ignored/local', 'mine\n')
  const contest = path.join(stage.root, 'contest')
  const made = await paddock(stage, ['contest', 'new', contest, '--from-project', stage.project, ...more])
  expect(made.code, made.stderr).toBe(0)
  const role = (name: string, line: string) => ({
    name,
    agent: 'command',
    command: ['sh', '-c', line],
    model: 'one of\nmine',
    family: name,
  })
  writeFileSync(
    path.join(contest, 'contest.yaml'),
    JSON.stringify({
      schemaVersion: 1,
      name: 'trial',
      start: 'start',
      participants: Object.entries(lines).map(([name, line]) => role(name, line)),
      judges: judge === undefined ? [] : [role('judge', judge)],
      rubric: { scale: { min: 0, max: 5 }, dimensions: [{ id: 'quality', description: 'How good it is.' }] },
      checks: [{ name: 'linked', command: ['sh', '-c', 'grep -q one link'] }],
    }),
  )
  for (const each of ['BRIEF.md', 'JUDGE_BRIEF.md']) writeFileSync(path.join(contest, each), 'Change it.\n')
  stage.own()
  return {
    stage,
    contest,
    git,
    run: (step, ...args) => paddock(stage, ['contest', step, contest, ...args]),
    project: (file) => readFileSync(path.join(stage.project, file), 'utf8'),
    [Symbol.dispose]: () => stage[Symbol.dispose](),
  }
}
