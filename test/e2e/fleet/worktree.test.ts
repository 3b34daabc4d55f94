import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../../src/client/api.ts'
import { everyone, paddock, type Ran } from '../../support/cli.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'

type Job = components['schemas']['WholeJob']

/** Runs its prompt as a shell script. */
const agent = (name: string, project: string, more = ''): string =>
  `{name: ${name}, agent: command, command: [sh, -c, 'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; exec sh'], egress: {policy: off}, workspace: {worktree: ${project}}${more}}`

describe.each(everyone)('agents that work in work trees, as %s', (who) => {
  let fleet: FleetServer
  let settings: string
  beforeAll(async () => {
    fleet = await startFleet(who)
    settings = path.join(fleet.stage.root, 'gitconfig')
    writeFileSync(settings, '[safe]\n\tdirectory = *\n[user]\n\tname = a\n\temail = a@b\n')
    writeFileSync(path.join(fleet.stage.home, '.gitconfig'), '[user]\n\tname = me\n\temail = me@home\n')
    fleet.stage.own()
  })
  afterAll(() => fleet[Symbol.asyncDispose]())

  /** Runs git on the host as the owner of the tests. */
  const gitIn = (project: string, ...words: string[]): string =>
    String(execFileSync('git', words, { cwd: project, env: { ...process.env, GIT_CONFIG_GLOBAL: settings } })).trim()
  /** Makes a repository with one commit and an agent that works in its work trees. */
  const started = async (name: string, more = ''): Promise<string> => {
    const project = path.join(fleet.stage.project, name)
    mkdirSync(project)
    gitIn(project, 'init', '-q', '-b', 'main')
    writeFileSync(path.join(project, 'a.txt'), 'one\n')
    gitIn(project, 'add', '.')
    gitIn(project, 'commit', '-q', '-m', 'first')
    fleet.stage.own()
    const { error } = await fleet.api.POST('/api/v1/agents', { body: { yaml: agent(name, project, more) } })
    expect(error).toBeUndefined()
    return project
  }
  const give = async (name: string, prompt: string): Promise<string> =>
    (await fleet.api.POST('/api/v1/jobs', { body: { labels: [], agent: name, prompt } })).data?.id ?? ''
  const job = async (id: string): Promise<Job> => (await fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })).data as Job
  const ended = async (id: string): Promise<Job> => {
    for (;;) {
      const now = await job(id)
      if (now.endedAt !== null) return now
      await setTimeout(50)
    }
  }
  const cli = (...words: string[]): Promise<Ran> => paddock(fleet.stage, ['job', ...words, '--data', fleet.data])
  const own = (project: string): void => {
    fleet.stage.own()
    expect(existsSync(project)).toBe(true)
  }

  test('several jobs at once have a branch each, and apply merges them into the branch of the project', async () => {
    const project = await started('several', ', parallel: 3')
    const ids = await Promise.all(
      [1, 2, 3].map((n) => give('several', `sleep 1; echo ${n} > ${n}.txt; git add .; git commit -qm "work ${n}"`)),
    )
    for (const id of ids) {
      const { state, result } = await ended(id)
      expect([state, result?.worktree], JSON.stringify(result)).toMatchObject(['done', { name: id, project, unmerged: 1, uncommitted: 0 }])
    }
    expect(readdirSync(project).sort()).toEqual(['.git', 'a.txt'])
    expect(gitIn(project, 'branch', '--list', '--format=%(refname:short)').split('\n').sort()).toEqual([...ids, 'main'].sort())
    for (const id of ids) {
      const shown = await cli('review', id)
      expect([shown.code, shown.stdout], shown.stderr).toEqual([0, `branch ${id} of ${project}: 1 commit to merge\n`])
      const applied = await cli('apply', id)
      expect([applied.code, applied.stdout], applied.stderr).toEqual([0, expect.stringContaining(`merged 1 commit of ${id} into main`)])
    }
    expect(readdirSync(project).sort()).toEqual(['.git', '1.txt', '2.txt', '3.txt', 'a.txt'])
    expect(gitIn(project, 'status', '--porcelain')).toBe('')
    expect(gitIn(project, 'branch', '--list', '--format=%(refname:short)')).toBe('main')
    expect(gitIn(project, 'worktree', 'list').split('\n')).toHaveLength(1)
    expect(gitIn(project, 'log', '-1', '--format=%an %s')).toBe(`me Merge branch '${ids[2]}'`)
    expect(gitIn(project, 'fsck', '--strict')).toBe('')
  })

  test('killing the server and the host process loses no commit and no file, and a job that starts over goes on there', async () => {
    const project = await started('killed', ', restart: again')
    const id = await give(
      'killed',
      'test -e left.txt && { git add .; git commit -qm second; exit; }; echo 1 > b.txt; git add .; git commit -qm kept; echo 2 > left.txt; sleep 600',
    )
    const trees = path.join(fleet.stage.root, 'paddock/data/worktrees')
    const isWritten = (): boolean => spawnSync('find', [trees, '-path', `*${id}/left.txt`, '-size', '+0']).stdout.length > 0
    while (!isWritten()) await setTimeout(50)
    const { agentId } = await job(id)
    const host = fleet.hostOf(agentId ?? '')
    await fleet.kill('SIGKILL')
    process.kill(host, 'SIGKILL')
    expect(gitIn(project, 'log', '--format=%s', id)).toBe('kept\nfirst')
    await fleet.start()
    await ended(id)
    const { data } = await fleet.api.GET('/api/v1/jobs', { params: { query: { agent: 'killed' } } })
    const next = data?.items[0]
    expect(next).toMatchObject({ continues: id, attempt: 2 })
    const { state, result } = await ended(next?.id ?? '')
    expect([state, result?.worktree]).toMatchObject(['done', { name: id, unmerged: 2, uncommitted: 0 }])
    expect(gitIn(project, 'log', '--format=%s', id)).toBe('second\nkept\nfirst')
    own(project)
    expect((await cli('apply', next?.id ?? '')).code).toBe(0)
    expect(readdirSync(project).sort()).toEqual(['.git', 'a.txt', 'b.txt', 'left.txt'])
  })

  test('a merge that git cannot do ends with one sentence, and nothing is lost', async () => {
    const project = await started('conflict')
    const id = await give('conflict', 'echo theirs > a.txt; git commit -qam theirs')
    await ended(id)
    const stateNow = (): readonly string[] => [
      gitIn(project, 'rev-parse', 'main', id),
      gitIn(project, 'status', '--porcelain'),
      gitIn(project, 'diff'),
    ]
    writeFileSync(path.join(project, 'a.txt'), 'not committed\n')
    own(project)
    const dirty = stateNow()
    const refused = await cli('apply', id)
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`it would overwrite files of ${project} that are in no commit: a.txt.`),
    ])
    expect(stateNow()).toEqual(dirty)
    gitIn(project, 'commit', '-qam', 'ours')
    own(project)
    const clean = stateNow()
    const conflict = await cli('apply', id)
    expect([conflict.code, conflict.stderr.split('\n')[0]]).toEqual([
      1,
      `paddock: CONFLICT: ${id} conflicts with main in a.txt, so nothing was merged.`,
    ])
    expect(stateNow()).toEqual(clean)
    const kept = await cli('apply', id, '--branch')
    expect([kept.code, kept.stdout], kept.stderr).toEqual([0, `branch ${id} is kept\n`])
    expect([stateNow(), gitIn(project, 'worktree', 'list').split('\n').length]).toEqual([clean, 1])
  })

  test('what would run later is shown before it is merged, whether the work tree still has it or not', async () => {
    const project = await started('later')
    const ids = [
      await give('later', 'echo all: > Makefile; git add .; git commit -qm make'),
      await give('later', 'echo all: > Makefile; git add .; git commit -qm make; rm Makefile'),
      await give('later', 'echo all: > Makefile; git add .; git commit -qm make; git rm -q --cached Makefile; rm Makefile'),
    ]
    for (const id of ids) await ended(id)
    for (const id of ids) {
      expect((await cli('review', id)).stdout).toContain('Makefile (make runs it)')
      const refused = await cli('apply', id)
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringMatching(/NOT_ALLOWED: Nothing was merged, because .*: Makefile \(make runs it\)\./),
      ])
      expect(existsSync(path.join(project, 'Makefile'))).toBe(false)
    }
    const allowed = await cli('apply', ids[0] ?? '', '--run-later')
    expect([allowed.code, existsSync(path.join(project, 'Makefile'))], allowed.stderr).toEqual([0, true])
  })

  test('files that are in no commit stay in the work tree, and a job that changes nothing leaves none', async () => {
    const project = await started('left')
    const id = await give('left', 'echo 1 > b.txt; git add .; git commit -qm b; echo 2 > c.txt')
    const { result } = await ended(id)
    const { directory } = result?.worktree ?? { directory: '' }
    const applied = await cli('apply', id)
    expect([applied.code, applied.stdout], applied.stderr).toEqual([0, expect.stringContaining('in no commit, and so not merged: c.txt')])
    expect([existsSync(path.join(directory, 'c.txt')), readdirSync(project).sort()]).toEqual([true, ['.git', 'a.txt', 'b.txt']])
    const again = await cli('apply', id)
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(`has no commit to merge; uncommitted in its work tree: c.txt.`)])
    const branch = await cli('apply', id, '--branch')
    expect([branch.code, branch.stderr]).toEqual([1, expect.stringContaining('has 1 uncommitted file.')])
    const paths = await cli('apply', id, 'b.txt')
    expect([paths.code, paths.stderr]).toEqual([2, expect.stringContaining('a branch, which is merged as a whole')])
    expect((await cli('discard', id)).stdout).toContain(`The work tree of ${id} and its branch are deleted.`)
    expect([existsSync(directory), gitIn(project, 'branch', '--list', id)]).toEqual([false, ''])
    const idle = await ended(await give('left', 'true'))
    expect([idle.state, idle.result?.worktree, gitIn(project, 'branch', '--list', idle.id)]).toEqual(['done', null, ''])
  })

  test('no hook and no program of the repository runs while a branch is merged', async () => {
    const project = await started('quiet')
    const trace = path.join(fleet.stage.root, 'project/trace')
    for (const each of ['post-merge', 'post-checkout', 'reference-transaction', 'pre-merge-commit', 'commit-msg']) {
      writeFileSync(path.join(project, '.git/hooks', each), `#!/bin/sh\necho ${each} >> ${trace}\n`)
      chmodSync(path.join(project, '.git/hooks', each), 0o755)
    }
    const id = await give(
      'quiet',
      'mkdir tool; echo "#!/bin/sh" > tool/run; echo "* filter=own" > .gitattributes; git add .; git commit -qm tool',
    )
    await ended(id)
    gitIn(project, 'config', 'filter.own.smudge', 'tool/run')
    own(project)
    expect((await cli('apply', id)).stderr).toContain('tool/run (the configuration of git runs it (filter.own.smudge))')
    const refused = await cli('apply', id, '--run-later')
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('and 1 more, git would run a filter (filter.own.smudge)')])
    gitIn(project, 'config', '--unset', 'filter.own.smudge')
    own(project)
    const applied = await cli('apply', id, '--run-later')
    expect([applied.code, existsSync(trace)], applied.stderr).toEqual([0, false])
  })

  test('a project without a work tree or a commit is refused with one sentence', async () => {
    const { project } = fleet.stage
    for (const each of ['plain', 'bare', 'empty']) mkdirSync(path.join(project, each))
    gitIn(path.join(project, 'bare'), 'init', '-q', '--bare')
    gitIn(path.join(project, 'empty'), 'init', '-q')
    fleet.stage.own()
    const created = async (name: string): Promise<unknown> => {
      const { error } = await fleet.api.POST('/api/v1/agents', { body: { yaml: agent(`bad-${name}`, path.join(project, name)) } })
      return (error as { detail?: string } | undefined)?.detail
    }
    expect(await created('plain')).toBe(`workspace.worktree needs a git repository, and ${project}/plain is not one.`)
    expect(await created('bare')).toBe(`workspace.worktree needs a work tree of git, and ${project}/bare is a bare repository.`)
    expect(await created('missing')).toContain('is not a directory that fleet.projects of the configuration lists.')
    expect(await created('empty')).toBeUndefined()
    expect((await ended(await give('bad-empty', 'true'))).result?.outcome.message).toBe(
      `${project}/empty has no commit from which a branch can start.`,
    )
  })
})
