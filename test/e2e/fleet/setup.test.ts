import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../../src/client/api.ts'
import { everyone, paddock } from '../../support/cli.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'

type Job = components['schemas']['WholeJob']

const setup = (script: string): string =>
  `schemaVersion: 1\nsetup:\n  command: [sh, -c, ${JSON.stringify(script)}]\n  keep: [node_modules]\n  files: [package-lock.json]\n`
const makes = 'mkdir node_modules; cat /proc/sys/kernel/random/uuid > node_modules/made'

describe.each(everyone)('jobs in new trees with a setup, as %s', (who) => {
  let fleet: FleetServer
  let settings: string
  beforeAll(async () => {
    fleet = await startFleet(who)
    settings = path.join(fleet.stage.root, 'gitconfig')
    writeFileSync(settings, '[safe]\n\tdirectory = *\n[user]\n\tname = a\n\temail = a@b\n')
  })
  afterAll(() => fleet[Symbol.asyncDispose]())

  const gitIn = (project: string, ...words: string[]): string =>
    String(execFileSync('git', words, { cwd: project, env: { ...process.env, GIT_CONFIG_GLOBAL: settings } })).trim()
  /** Makes a repository with a setup of its own, which is trusted, and an agent for each kind of workspace. */
  const started = async (name: string, script: string): Promise<void> => {
    const project = path.join(fleet.stage.project, name)
    mkdirSync(project)
    gitIn(project, 'init', '-q', '-b', 'main')
    for (const [file, text] of [
      ['package-lock.json', 'lock 1\n'],
      ['.gitignore', 'node_modules/\n'],
      ['.paddock.yaml', setup(script)],
    ] as const)
      writeFileSync(path.join(project, file), text)
    gitIn(project, 'add', '.')
    gitIn(project, 'commit', '-q', '-m', 'first')
    fleet.stage.own()
    expect((await paddock(fleet.stage, ['trust'], { cwd: project })).code).toBe(0)
    for (const kind of ['worktree', 'copy']) {
      const yaml = `{name: ${name}-${kind}, agent: command, command: [sh], egress: {policy: off}, workspace: {${kind}: ${project}}}`
      expect((await fleet.api.POST('/api/v1/agents', { body: { yaml } })).error).toBeUndefined()
    }
  }
  const ended = async (agent: string, prompt: string): Promise<Job & { id: string }> => {
    const id = (await fleet.api.POST('/api/v1/jobs', { body: { labels: [], agent, prompt } })).data?.id ?? ''
    for (;;) {
      const now = (await fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })).data as Job
      if (now.endedAt !== null) return { ...now, id }
      await setTimeout(50)
    }
  }

  test('the command runs once, and each job has its own directory', async () => {
    await started('made', makes)
    const first = await ended('made-worktree', 'cp node_modules/made seen; echo mine > node_modules/made')
    expect(first.state, JSON.stringify(first.result)).toBe('done')
    expect(first.result?.notes.join('\n')).toMatch(
      /setup: running sh -c .*\nsetup: sh -c .* made node_modules in .*\nsetup: placed node_modules/,
    )
    const { directory = '' } = first.result?.worktree ?? {}
    const second = await ended('made-worktree', `cmp node_modules/made ${directory}/seen || cp node_modules/made seen`)
    const third = await ended('made-copy', 'cp node_modules/made seen')
    expect([second.state, third.state], JSON.stringify([second.result, third.result])).toEqual(['done', 'done'])
    const seen = (where: string): string => String(execFileSync('cat', [path.join(where, 'seen')]))
    const copies = path.join(fleet.stage.root, 'paddock/state/copies')
    const copy = path.join(copies, third.result?.copy ?? '', 'tree')
    expect([seen(second.result?.worktree?.directory ?? ''), seen(copy)]).toEqual([seen(directory), seen(directory)])
    // A job that changes nothing leaves no tree behind.
    const idle = [await ended('made-worktree', 'true'), await ended('made-copy', 'true')]
    expect(idle.map((each) => [each.state, each.result?.worktree, each.result?.copy])).toEqual([
      ['done', null, null],
      ['done', null, null],
    ])
  })

  test('a job whose setup fails does not start, and leaves no tree', async () => {
    await started('broken', 'echo no such package >&2; exit 1')
    for (const kind of ['worktree', 'copy']) {
      const job = await ended(`broken-${kind}`, 'touch begun')
      expect([job.state, job.result?.outcome.message]).toEqual([
        'failed',
        expect.stringMatching(/^setup: sh -c .* exited with code 1, so nothing was started\.\n {2}no such package$/),
      ])
    }
    const trees = path.join(fleet.stage.root, 'paddock/data/worktrees')
    const left = readdirSync(trees).filter((each) => each.startsWith('broken-') && readdirSync(path.join(trees, each)).length > 0)
    expect([left, existsSync(path.join(fleet.stage.project, 'broken/begun'))]).toEqual([[], false])
  })
})
