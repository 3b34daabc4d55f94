import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { describe, expect, test } from 'vitest'
import { results } from '../../src/cli/results.ts'
import { everyone, makeStage, paddock, type RunOptions, type Stage } from '../support/cli.ts'
import { fiveForAll, makeContestStage } from '../support/contest-stage.ts'
import { putAgents } from '../support/fake-agents.ts'
import { going } from '../support/going.ts'
import { makeProjectStage } from '../support/project-stage.ts'

/** The commands of a fleet are tested in another file. */
const ofFleets = /^(?:agent|answer|discord|fleet|hook|inbox|job|lease|memory|open|schedule|session|token|usage|webhook)\b/
const example = (name: string): string => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url))
const passphrase = 'correct horse battery staple'
/** A task in the layout of Harbor. */
const task: Readonly<Record<string, string>> = {
  'task.toml': 'version = "1.0"\n[agent]\ntimeout_sec = 60\n[verifier]\ntimeout_sec = 30.5\n',
  'instruction.md': 'Write /app/answer.txt.\n',
  'environment/Dockerfile': 'FROM debian:12\nWORKDIR /app\n',
  'tests/test.sh': '#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n',
  'solution/solve.sh': 'echo 7 > answer.txt\n',
}
const ran = new Set<string>()

/** Runs a command with `--json`; `paddock` checks its output against its schema. */
async function answer(stage: Stage, args: readonly string[], options: RunOptions & { readonly code?: number } = {}): Promise<unknown> {
  const { code = 0, ...rest } = options
  const name = [args.slice(0, 2).join(' '), args[0] ?? ''].find((each) => Object.hasOwn(results, each)) ?? ''
  const words = name.split(' ').length
  const { stdout, stderr, code: ended } = await paddock(stage, [...args.slice(0, words), '--json', ...args.slice(words)], rest)
  expect([args.join(' '), ended, stdout !== ''], stderr).toEqual([args.join(' '), code, true])
  ran.add(name)
  return stdout.trim().includes('\n{"') ? null : JSON.parse(stdout)
}

describe.each(everyone)('answers as JSON, as %s', (who) => {
  test('of work trees', async () => {
    using stage = makeStage(who)
    const git = ['-c', 'safe.directory=*', '-c', 'user.name=a', '-c', 'user.email=a@b', '-C', stage.project]
    for (const each of [
      ['init', '-q'],
      ['commit', '-q', '--allow-empty', '-m', 'first'],
    ])
      execFileSync('git', [...git, ...each])
    stage.own()
    const commit = 'git -c user.name=a -c user.email=a@b commit -q --allow-empty -m second'
    await answer(stage, ['run', '--worktree', 'x', '--', 'sh', '-c', commit])
    for (const each of [['list'], ['open', 'x'], ['merge', 'x'], ['remove', 'x']]) await answer(stage, ['worktree', ...each])
  })

  test('of running cells', async () => {
    using stage = makeStage(who)
    stage.own()
    const run = going(stage, ['run', '--', 'sh', '-c', 'echo ready; sleep 60'])
    await run.says('ready')
    const { cells } = (await answer(stage, ['ps'])) as { cells: readonly { readonly id: string }[] }
    for (const each of ['logs', 'stop']) await answer(stage, [each, cells[0]?.id ?? ''])
    expect((await run.ended).code).toBe(130)
  })

  test('of runs, copies, the configuration and the log', async () => {
    using stage = makeStage(who)
    stage.put('a.txt', 'one\n')
    stage.put('.paddock.yaml', 'schemaVersion: 1\nrun:\n  env: [TERM]\n')
    stage.own()
    for (const each of [['trust', '--show'], ['trust'], ['config', 'show', '--origin']]) await answer(stage, each)
    await answer(stage, ['run', '--dry-run', '--', 'true'])
    const report = (await answer(stage, ['run', '--', 'sh', '-c', 'echo two > b.txt'])) as { cell: string }
    await answer(stage, ['run', '--copy', '--', 'sh', '-c', 'echo two > a.txt; echo three > c.txt'])
    for (const each of [['review'], ['review', '--stat'], ['review', '--list'], ['apply', 'a.txt'], ['discard']]) await answer(stage, each)
    await answer(stage, ['audit', 'tail', '-n', '100'])
    await answer(stage, ['audit', 'show', report.cell])
    await answer(stage, ['audit', 'verify'])
    for (const each of ['jsonl', 'ocsf']) await answer(stage, ['audit', 'export', '--format', each, '--output', `${each}.out`])
    await answer(stage, ['attest', 'key'])
    await answer(stage, ['attest', 'make', report.cell, '--output', 'work.json'])
    await answer(stage, ['attest', 'make', report.cell])
    await answer(stage, ['attest', 'verify', 'work.json'])
    await answer(stage, ['attest', 'verify', 'work.json', '--subject', '0'.repeat(64)], { code: 1 })
    await answer(stage, ['init'])
    await answer(stage, ['doctor'])
    await answer(stage, ['verify', '--only', 'processes-limited'])
    await answer(stage, ['verify', '--recorded'])
    await answer(stage, ['reset'])
    for (const each of ['explain', 'compare', 'advise']) await answer(stage, ['posture', each])
    await answer(stage, ['redteam', '--', 'true'])
    await answer(stage, ['clean', '--dry-run'])
    await answer(stage, ['approvals'])
    for (const each of ['allow', 'deny']) {
      const run = going(stage, ['run', '--ask', 'a.test:8080', '--', 'sh', '-c', 'curl -s http://a.test:8080/; true'])
      run.child.stdin?.end()
      let open: readonly { readonly id: string }[] = []
      while (open.length === 0) open = ((await answer(stage, ['approvals', 'list'])) as { open: typeof open }).open
      await answer(stage, ['approvals', each, open[0]?.id ?? ''])
      await run.ended
    }
    await answer(stage, ['untrust'])
    spawnSync('git', ['init', '-q'], { cwd: stage.project })
    spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x.example', 'commit', '-q', '--allow-empty', '-m', 'x'], {
      cwd: stage.project,
    })
    stage.own()
    await answer(stage, ['sign'])
  })

  test('of credentials and the vault', async () => {
    using stage = makeStage(who)
    putAgents(stage, ['claude', 'codex'])
    await answer(stage, ['login', 'claude', 'code'], { input: 'first\n' })
    await answer(stage, ['credentials', 'list'])
    await answer(stage, ['credentials', 'check'])
    const recipient = await identityToRecipient(await generateX25519Identity())
    const present = { input: `${passphrase}\n` }
    await answer(stage, ['vault', 'init'], present)
    await answer(stage, ['vault', 'unlock'], present)
    await answer(stage, ['vault', 'set', 'KEY', '--host', 'a.example', '--place', 'header:x-api-key'], { input: 'value' })
    await answer(stage, ['vault', 'list'])
    await answer(stage, ['vault', 'show', 'KEY'])
    await answer(stage, ['vault', 'export', '--to', path.join(stage.root, 'paddock/out.age'), '--recipient', recipient], present)
    await answer(stage, ['vault', 'rekey'], { input: `${passphrase}\n${passphrase} again\n` })
    await answer(stage, ['vault', 'unlock'], { input: `${passphrase} again\n` })
    await answer(stage, ['vault', 'rm', 'KEY'])
    await answer(stage, ['vault', 'lock'])
  })

  test('of shims', async () => {
    using stage = makeStage(who)
    putAgents(stage, ['claude'])
    for (const each of [['install', 'claude'], ['list'], ['remove', 'claude']]) await answer(stage, ['shim', ...each])
  })

  test('of contests', { timeout: 300_000 }, async () => {
    const reviews = `if [ -d /contest/submission ]; then echo good > /contest/outbox/review.md; else ${fiveForAll}; fi`
    using at = makeContestStage(who, { one: 'echo 1 > answer', two: 'echo 2 > answer' }, { judge: reviews })
    const step = (name: string, ...more: readonly string[]): Promise<unknown> => answer(at.stage, ['contest', name, at.contest, ...more])
    await step('lint', '--try')
    await step('trust')
    await step('run', '--dry-run')
    for (const each of ['status', 'run', 'judge', 'report', 'status', 'rejudge', 'consult'])
      await (each === 'status' ? step(each, '--watch') : step(each))
    await step('resume', '--only', 'one', '--force')
    await step('refine', '--only', 'two')
    await step('chef', '--base', 'one', '--as', 'cook=command', '--', 'sh', '-c', 'echo 3 > answer')
    await step('add', 'three=command', '--', 'sh', '-c', 'echo 4 > answer')
    await step('diff', 'one@1', 'two@1')
    await step('tail', '--no-follow')
    await step('archive', '--out', path.join(at.stage.root, 'paddock/archive.tar'))
    await step('clean')
    await step('prune', '--all')
    const slow = going(at.stage, ['contest', 'run', at.contest, '--fresh'])
    await answer(at.stage, ['contest', 'status', at.contest])
    let isCancelled = false
    // Its process may not have started yet.
    while (!isCancelled && slow.child.exitCode === null) {
      const { code, stdout } = await paddock(at.stage, ['contest', 'cancel', at.contest, '--json'])
      isCancelled = code === 0
      expect(JSON.parse(stdout)).toHaveProperty('ended')
    }
    ran.add('contest cancel')
    await slow.ended
  })

  test('of contests from a project, and of suites', { timeout: 300_000 }, async () => {
    using at = await makeProjectStage(who, { alice: 'cat > /dev/null; echo 2 > code', bob: 'cat > /dev/null; echo 3 > code' }, fiveForAll)
    await answer(at.stage, ['contest', 'new', path.join(at.stage.root, 'paddock/other'), '--from-project', at.stage.project])
    await at.run('run')
    await answer(at.stage, ['contest', 'apply', at.contest, 'alice', '--dry-run'])
    await answer(at.stage, ['contest', 'apply', at.contest, 'alice'])
    await answer(at.stage, ['contest', 'apply', at.contest, '--undo'])
    const suite = path.join(at.stage.root, 'suite')
    cpSync(example('small-suite'), suite, { recursive: true })
    for (const [file, text] of Object.entries(task)) {
      mkdirSync(path.dirname(path.join(at.stage.root, 'tasks/odd', file)), { recursive: true })
      writeFileSync(path.join(at.stage.root, 'tasks/odd', file), text)
    }
    at.stage.own()
    await answer(at.stage, ['suite', 'new', path.join(at.stage.root, 'paddock/new-suite'), '--starter'])
    await answer(at.stage, ['suite', 'from-git', at.stage.project, path.join(at.stage.root, 'paddock/new-suite')], { code: 1 })
    await answer(at.stage, ['suite', 'import', path.join(at.stage.root, 'tasks'), suite])
    await answer(at.stage, ['suite', 'lint', suite, '--only', 'sort'])
    await answer(at.stage, ['suite', 'trust', suite])
    await answer(at.stage, ['suite', 'run', suite, '--only', 'sort', '--dry-run'])
    await answer(at.stage, ['suite', 'run', suite, '--only', 'sort'])
    await answer(at.stage, ['suite', 'report', suite])
    await answer(at.stage, ['suite', 'status', suite])
    await answer(at.stage, ['suite', 'plan', suite])
    await answer(at.stage, ['suite', 'archive', suite, '--only', 'sort', '--out', path.join(at.stage.root, 'archives')])
    await answer(at.stage, ['suite', 'clean', suite, '--only', 'sort'])
    await answer(at.stage, ['suite', 'refine', suite, '--only', 'sort'])
    await answer(at.stage, ['suite', 'compare', `${suite}@1`, suite, '--only', 'sort', '--dry-run'])
    await answer(at.stage, ['suite', 'compare', `${suite}@1`, suite, '--only', 'sort', '--fail-if', 'worse by 3'], { code: 1 })
    await answer(at.stage, ['suite', 'cancel', suite], { code: 1 })
    const judged = path.join(at.stage.root, 'judged')
    mkdirSync(path.join(judged, 'briefs/one'), { recursive: true })
    writeFileSync(path.join(judged, 'briefs/one/BRIEF.md'), 'Write answer.txt.\n')
    const role = (name: string, line: string) => ({ name, agent: 'command', command: ['sh', '-c', line] })
    const dimensions = [{ id: 'quality', description: 'How good it is.' }]
    const contest = { participants: [role('a', 'echo 1 > answer.txt')], judges: [role('j', fiveForAll)], rubric: { dimensions } }
    writeFileSync(path.join(judged, 'suite.yaml'), JSON.stringify({ schemaVersion: 1, name: 'judged', briefs: ['briefs/*'], contest }))
    at.stage.own()
    await answer(at.stage, ['suite', 'run', judged])
    await answer(at.stage, ['suite', 'rejudge', judged])
  })

  test('of every command', () => {
    const all = Object.keys(results).filter((each) => !ofFleets.test(each))
    expect([...ran].toSorted()).toEqual(all.toSorted())
  })
})
