import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyone, makeStage, paddock, type Stage, startPaddock } from '../../support/cli.ts'

interface Listed {
  readonly id: string
  readonly name: string | null
  readonly project: string | null
  readonly egress: string | null
  readonly memoryBytes: number | null
  readonly pid: number | null
}

async function listed(stage: Stage): Promise<readonly Listed[]> {
  return JSON.parse((await paddock(stage, ['ps', '--json'])).stdout).cells
}

/** Starts a cell, and waits until it says that it is ready. */
async function started(stage: Stage, line: string, args: readonly string[] = []) {
  const child = startPaddock(stage, ['run', ...args, '--', 'sh', '-c', line])
  let [said, errors] = ['', '']
  child.stdout?.on('data', (chunk) => (said += String(chunk)))
  child.stderr?.on('data', (chunk) => (errors += String(chunk)))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await expect.poll(() => said).toContain('ready')
  return { child, ended, errors: () => errors }
}

describe.each(everyone)('cells of other processes, as %s', (who) => {
  test('are listed with their project, egress and memory, and end when they are stopped, with their last lines', async () => {
    using stage = makeStage(who)
    stage.own()
    expect((await paddock(stage, ['ps'])).stderr).toContain('no cell is running')
    const line = 'trap "echo leaving; exit 3" TERM; echo made > made; echo ready; while :; do sleep 0.1; done'
    const one = await started(stage, line, ['--egress', 'off'])
    const two = await started(stage, 'trap "" TERM; echo ready; while :; do sleep 0.1; done')
    const both = await listed(stage)
    expect(both.map((each) => [each.name, each.project, each.egress, (each.memoryBytes ?? 0) > 4096])).toEqual([
      ['run sh', stage.project, 'off', true],
      ['run sh', stage.project, 'allowlist', true],
    ])
    expect((await paddock(stage, ['ps'])).stdout).toMatch(
      new RegExp(`^ID +NAME +PROJECT +SINCE +EGRESS +MEMORY\\n${both[0]?.id} +run sh +${stage.project} +\\S.* +off +\\d`),
    )
    const [first = '', second = ''] = both.map((each) => each.id)
    expect((await paddock(stage, ['stop', first.slice(0, 8)])).stderr).toContain(`cell ${first} has ended`)
    expect(await one.ended).toBe(130)
    expect(one.errors()).toMatch(/paddock: cancelled after .* 1 file added/)
    expect((await listed(stage)).map((each) => each.id)).toEqual([second])
    // It ignores the request, so it is killed.
    expect((await paddock(stage, ['stop', '--grace', '100ms', second])).code).toBe(0)
    expect(await two.ended).toBe(130)
    expect(await listed(stage)).toEqual([])
    const again = await paddock(stage, ['stop', first])
    expect([again.code, again.stderr]).toEqual([2, expect.stringMatching(/NOT_FOUND: No cell ".*" is running\.\n {2}hint: .*paddock ps/)])
  })

  test('show what they have output so far, and nothing of it is left afterwards', async () => {
    using stage = makeStage(who)
    stage.own()
    const cell = await started(
      stage,
      'echo one; echo two >&2; printf "a\\033[2Jb\\n"; head -c 3000000 /dev/zero | tr "\\0" x; echo; echo ready; read -r _',
    )
    const [{ id = '' } = {}] = await listed(stage)
    await expect.poll(async () => (await paddock(stage, ['logs', id])).stdout.endsWith('ready\n')).toBe(true)
    const { stdout } = await paddock(stage, ['logs', id])
    expect(stdout.length).toBeGreaterThan(1024 ** 2)
    expect(stdout.length).toBeLessThan(3 * 1024 ** 2)
    cell.child.stdin?.end('go\n')
    expect(await cell.ended).toBe(0)
    expect(readdirSync(path.join(stage.root, 'paddock/state/run'))).toEqual([])
    expect((await paddock(stage, ['logs', id])).code).toBe(2)
    const small = await started(stage, 'echo one; echo two >&2; printf "a\\033[2Jb\\n"; echo ready; read -r _')
    const [{ id: other = '' } = {}] = await listed(stage)
    await expect
      .poll(async () => (await paddock(stage, ['logs', other])).stdout.split('\n').toSorted())
      .toEqual(['', 'one', 'two', 'a\\u{1b}[2Jb', 'ready'].toSorted())
    expect(JSON.parse((await paddock(stage, ['logs', '--json', other])).stdout).output).toContain('a\u001b[2Jb\n')
    small.child.stdin?.end('go\n')
    await small.ended
  })

  test('a reader that starts late gets all of the output', async () => {
    using stage = makeStage(who)
    stage.own()
    const ran = await paddock(stage, ['run', '--', 'sh', '-c', 'seq 1 200000'])
    expect(ran.stdout.length).toBe(1288895)
  })
})
