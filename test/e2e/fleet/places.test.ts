import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../../src/client/api.ts'
import { becoming, everyone, paddock } from '../../support/cli.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'

type Job = components['schemas']['WholeJob']

const identity = 'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b'
/** Runs its prompt as a shell script. */
const agent = (name: string, workspace: string): string =>
  `{name: ${name}, agent: command, command: [sh, -c, '${identity}; exec sh'], egress: {policy: off}, workspace: ${workspace}}`
const script = 'pwd; ls -a; cat secret; echo agent > from-agent; git add -A && git commit -qm agent; true'

describe.each(everyone)('a directory that an agent may use is checked at each use, as %s', (who) => {
  let fleet: FleetServer
  let secrets = ''
  beforeAll(async () => {
    fleet = await startFleet(who)
    secrets = path.join(fleet.stage.root, 'secrets')
    mkdirSync(secrets)
    writeFileSync(path.join(secrets, 'secret'), 'the secret\n')
    inUser(secrets, 'git init -qb main; git add -A; git commit -qm first')
    fleet.stage.own()
  })
  afterAll(() => fleet[Symbol.asyncDispose]())

  const inUser = (directory: string, line: string): void => {
    fleet.stage.own()
    const [program = '', ...rest] = [...becoming(who), 'sh', '-ec', `${identity}; ${line}`]
    execFileSync(program, rest, { cwd: directory, env: fleet.stage.env, stdio: 'pipe' })
  }
  const create = (yaml: string) => fleet.api.POST('/api/v1/agents', { body: { yaml } })
  const run = async (name: string, prompt: string): Promise<Job> => {
    const id = (await fleet.api.POST('/api/v1/jobs', { body: { labels: [], agent: name, prompt } })).data?.id ?? ''
    for (;;) {
      const job = (await fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })).data as Job
      if (job.endedAt !== null) return job
      await setTimeout(50)
    }
  }
  const cli = (...words: string[]) => paddock(fleet.stage, [...words, '--data', fleet.data])

  test.each([
    ['project', 'itself', 'part', 'part'],
    ['copy', 'itself', 'part', 'part'],
    ['worktree', 'itself', 'part', 'part'],
    ['project', 'a directory above it', 'part/deep', 'part'],
    ['copy', 'a directory above it', 'part/deep', 'part'],
    ['worktree', 'a directory above it', 'part/deep', 'part'],
  ])(
    'the %s of an agent, or %s, is replaced with a link: no job and no terminal starts, and nothing is applied',
    async (kind, _what, below, replaced) => {
      const name = `${kind}-${below.replace('/', '-')}`
      const mono = path.join(fleet.stage.project, name)
      const project = path.join(mono, below)
      mkdirSync(project, { recursive: true })
      writeFileSync(path.join(project, 'own'), 'own\n')
      if (kind === 'worktree') inUser(project, 'git init -qb main; git add -A; git commit -qm first')
      fleet.stage.own()
      // What is behind the link has the same directories.
      const behind = below === replaced ? secrets : path.join(fleet.stage.root, `above-${name}`)
      if (behind !== secrets) {
        mkdirSync(behind)
        execFileSync('cp', ['-a', secrets, path.join(behind, path.basename(below))])
      }
      fleet.stage.own()
      expect((await create(agent(`${name}-all`, `{project: ${mono}}`))).error).toBeUndefined()
      expect((await create(agent(name, `{${kind}: ${project}}`))).error).toBeUndefined()
      const before = await run(name, script)
      expect(before.state).toBe('done')
      const swap = `mv ${replaced} was && ln -s ${behind} ${replaced}`
      // A cell cannot move a git repository of the project, but other programs can.
      if (kind === 'worktree') inUser(mono, swap)
      else expect((await run(`${name}-all`, swap)).state).toBe('done')
      const after = await run(name, script)
      expect([after.state, after.result?.outcome.message]).toEqual([
        'failed',
        expect.stringContaining('is now a symbolic link, or behind one'),
      ])
      const terminal = await fleet.api.POST('/api/v1/agents/{agent}/sessions', {
        params: { path: { agent: name } },
        body: { command: ['sh'], size: { columns: 80, rows: 24 } },
      })
      expect(JSON.stringify(terminal.error)).toContain('is now a symbolic link, or behind one')
      if (kind !== 'project') expect((await cli('job', 'apply', before.id)).code).not.toBe(0)
      expect(readdirSync(behind === secrets ? secrets : path.join(behind, path.basename(below))).sort()).toEqual(['.git', 'secret'])
      expect((await create(agent(`${name}-again`, `{${kind}: ${project}}`))).error).toMatchObject({ code: 'NOT_ALLOWED' })
    },
  )

  test('a directory that the owner takes out of the configuration is not used any more, without a new start of the server', async () => {
    const project = path.join(fleet.stage.project, 'listed')
    mkdirSync(project)
    fleet.stage.own()
    expect((await create(agent('listed', `{project: ${project}}`))).error).toBeUndefined()
    expect((await run('listed', 'pwd')).state).toBe('done')
    const file = path.join(fleet.stage.env['PADDOCK_HOME'] ?? '', 'config/config.yaml')
    const config = readFileSync(file, 'utf8')
    try {
      writeFileSync(file, config.replace(/projects: \[.*\]/, `projects: [${fleet.stage.home}]`))
      fleet.stage.own()
      expect((await run('listed', 'pwd')).result?.outcome.message).toContain('fleet.projects of the configuration does not list')
    } finally {
      writeFileSync(file, config)
      fleet.stage.own()
    }
    expect((await run('listed', 'pwd')).state).toBe('done')
  })
})

describe.each(everyone)('directories that agents may name, as %s', (who) => {
  test('none is below a directory that another agent could replace, and none has credentials or what runs by itself', async () => {
    await using fleet = await startFleet(who)
    const { home, project } = fleet.stage
    const create = (yaml: string) => fleet.api.POST('/api/v1/agents', { body: { yaml } })
    const inner = path.join(project, 'mono/part')
    const own = ['.ssh', '.config/gh', '.config/systemd/user', '.config/mine', '.local/share', '.local/bin', 'work']
    for (const each of [inner, ...own.map((name) => path.join(home, name))]) mkdirSync(each, { recursive: true })
    const file = path.join(fleet.stage.env['PADDOCK_HOME'] ?? '', 'config/config.yaml')
    writeFileSync(file, `schemaVersion: 1\nfleet:\n  projects: [${path.join(project, 'mono')}, ${inner}, ~/]\n`)
    fleet.stage.own()
    await fleet.kill('SIGTERM')
    await fleet.start()
    for (const each of own.slice(0, -1)) {
      const { error } = await create(agent('x', `{copy: ${path.join(home, each)}}`))
      expect(error, each).toMatchObject({ code: 'NOT_ALLOWED', detail: expect.stringContaining('cannot be a project') })
    }
    expect((await create(agent('work', `{project: ${path.join(home, 'work')}}`))).error).toBeUndefined()
    expect((await create(agent('mono', `{project: ${path.join(project, 'mono')}}`))).error).toBeUndefined()
    // The one that replaces it may be gone by then.
    await fleet.api.DELETE('/api/v1/agents/{agent}', { params: { path: { agent: 'mono' } } })
    renameSync(inner, `${inner}-was`)
    symlinkSync(fleet.stage.root, inner)
    const { error } = await create(agent('part', `{project: ${path.join(inner, 'elsewhere')}}`))
    expect(error).toMatchObject({ code: 'NOT_ALLOWED' })
    rmSync(inner)
  })

  test('no contest is started or read behind a link that an agent put in place of its directory', async () => {
    await using fleet = await startFleet(who)
    const { home, project } = fleet.stage
    const [listed, outside] = [path.join(project, 'mono/contests'), path.join(fleet.stage.root, 'outside')]
    for (const each of [listed, path.join(outside, 'mine')]) {
      mkdirSync(each, { recursive: true })
      writeFileSync(path.join(each, 'BRIEF.md'), 'Write.\n')
      writeFileSync(
        path.join(each, 'contest.yaml'),
        'schemaVersion: 1\nname: c\nparticipants: [{name: a, agent: command, command: ["true"]}]\nchecks: [{name: c, command: "true"}]\n',
      )
    }
    const file = path.join(fleet.stage.env['PADDOCK_HOME'] ?? '', 'config/config.yaml')
    writeFileSync(file, `schemaVersion: 1\nfleet:\n  projects: [${path.join(project, 'mono')}]\n  contests: [${listed}]\n`)
    fleet.stage.own()
    await fleet.kill('SIGTERM')
    await fleet.start()
    const { data } = await fleet.api.POST('/api/v1/contests', { body: { directory: listed, retry: false } })
    const id = data?.id ?? ''
    for (let state = 'running'; state === 'running'; await setTimeout(50))
      state = (await fleet.api.GET('/api/v1/contests/{contest}', { params: { path: { contest: id } } })).data?.state ?? ''
    const report = () => fleet.api.GET('/api/v1/contests/{contest}/report', { params: { path: { contest: id } } })
    expect((await report()).error).toBeUndefined()
    renameSync(listed, `${home}/was`)
    symlinkSync(outside, listed)
    expect((await report()).error).toMatchObject({ code: 'NOT_ALLOWED' })
    expect((await fleet.api.GET('/api/v1/contests/directories')).data?.items).toEqual([])
    for (const directory of [path.join(listed, 'mine'), path.join(outside, 'mine')])
      expect((await fleet.api.POST('/api/v1/contests', { body: { directory, retry: false } })).error).toMatchObject({ code: 'NOT_ALLOWED' })
    expect(readdirSync(path.join(outside, 'mine')).sort()).toEqual(['BRIEF.md', 'contest.yaml'])
  })
})
