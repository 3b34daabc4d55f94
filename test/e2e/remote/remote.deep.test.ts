import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startPaddock } from '../../support/cli.ts'
import { type FarMachine, noSshd, openFarMachine } from '../../support/far-machine.ts'
import { until } from '../../support/processes.ts'

// Also runs what docs/guide/remote.md shows.
let lab: FarMachine
beforeAll(async () => {
  if (noSshd === null) lab = await openFarMachine()
})
afterAll(async () => lab?.[Symbol.asyncDispose]())
beforeEach(({ skip }) => skip(noSshd !== null, noSshd ?? undefined))

const treesThere = (): readonly string[] => globSync(path.join(lab.far, 'state/served-trees/*/*/trees/*'))
const cellsThere = (): readonly string[] => globSync(path.join(lab.far, 'state/cells/[0-9a-f]*'))
const json = (text: string): unknown => JSON.parse(text)

describe('the machines', () => {
  test('nothing is added without agreement to the key that the machine shows', async () => {
    const { address, fingerprint, stage } = lab
    const unasked = await lab.run(['remote', 'add', 'far', address])
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringMatching(/nobody can be asked.*\n.*--fingerprint SHA256:/)])
    const wrong = await lab.run(['remote', 'add', 'far', address, '--fingerprint', 'SHA256:AAAA'])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining(`${fingerprint}, and not SHA256:AAAA.`)])
    for (const each of ['remotes.json', 'known_hosts'])
      expect(existsSync(path.join(stage.env['PADDOCK_HOME'] ?? '', 'config', each))).toBe(false)
  })

  test.each([
    ['-oProxyCommand=x', 'a machine needs a name and an address'],
    ['a b', 'a machine needs a name and an address'],
    ['127.0.0.1:1', 'cannot be reached'],
  ])('the address %s is refused', async (address, why) => {
    const ran = await lab.run(['remote', 'add', 'far', '--fingerprint', 'SHA256:AAAA', '--', address])
    expect([ran.code === 0, ran.stderr]).toEqual([false, expect.stringContaining(why)])
  })

  test('one is added, listed, checked by its own doctor, and removed with its key', async () => {
    const { address, stage } = lab
    expect(await lab.add()).toMatchObject({ code: 0, stdout: expect.stringContaining('far runs cells now') })
    expect((await lab.add()).stderr).toContain('There is a machine far already.')
    const listed = await lab.run(['remote', 'list', '--json'])
    expect(json(listed.stdout)).toMatchObject({ machines: [{ name: 'far', address, program: 'paddock' }] })
    const checked = await lab.run(['remote', 'check', 'far', '--json'])
    expect(json(checked.stdout)).toMatchObject({ name: 'far', doctor: { ok: true } })
    const known = path.join(stage.env['PADDOCK_HOME'] ?? '', 'config/known_hosts')
    expect([readFileSync(known, 'utf8'), statSync(known).mode & 0o777]).toEqual([
      expect.stringMatching(/^paddock-far ssh-ed25519 \S+\n$/),
      0o600,
    ])
    expect((await lab.run(['remote', 'remove', 'far'])).code).toBe(0)
    expect(readFileSync(known, 'utf8')).toBe('')
    expect((await lab.run(['run', '--on', 'far', '--', 'true'])).stderr).toMatch(/There is no machine far\.\n.*paddock remote add far/)
  })
})

describe('a run', () => {
  beforeAll(async () => void (noSshd === null && (await lab.add())))

  test('works on a copy there, and what it wrote comes back into the copy', async () => {
    const { stage } = lab
    stage.put('deep/a.txt', 'before')
    const ran = await lab.run(['run', '--on', 'far', '--', 'sh', '-c', 'cat; cat deep/a.txt; echo after > deep/a.txt; pwd; exit 7'], {
      input: 'given ',
    })
    expect(ran).toMatchObject({ code: 7, stdout: `given before${stage.project}\n` })
    expect(ran.stderr).toMatch(/ · sees \S+ \(a copy, rw\) · on far\n/)
    expect(ran.stderr).toMatch(/copy \w+: 1 file changed; the project is unchanged/)
    expect(stage.read('deep/a.txt')).toBe('before')
    const [, copy = ''] = /paddock apply (\w+)/.exec(ran.stderr) ?? []
    expect((await lab.run(['apply', copy])).code).toBe(0)
    expect(stage.read('deep/a.txt')).toBe('after\n')
    await until(() => treesThere().length === 0 && cellsThere().length === 0)
  })

  test('both logs have the cell, and the same hash of its plan', async () => {
    const { stage, far } = lab
    expect((await lab.run(['run', '--on', 'far', '--', 'true'])).code).toBe(0)
    const logged = (directory: string, kind: string): { cell: string; data: Record<string, unknown> } => {
      const lines = readdirSync(path.join(directory, 'state/audit'))
        .sort()
        .flatMap((file) =>
          file.endsWith('.jsonl')
            ? readFileSync(path.join(directory, 'state/audit', file), 'utf8')
                .trim()
                .split('\n')
            : [],
        )
      return lines.map((line) => JSON.parse(line)).findLast((each) => each.kind === kind)
    }
    const [here, there] = [stage.env['PADDOCK_HOME'] ?? '', far]
    const [launched, launch] = [logged(here, 'cell.launch'), logged(there, 'cell.launch')]
    expect(launched).toMatchObject({ cell: launch.cell, data: { on: 'far', plan: launch.data['plan'] } })
    expect(launch.data['plan']).toMatch(/^[0-9a-f]{64}$/)
    expect(logged(here, 'cell.end')).toMatchObject({ cell: launch.cell, data: { plan: launch.data['plan'], ending: 'exited' } })
  })

  test('reaches other machines from here, and its secret stays here', async () => {
    const secret = 'correct-horse-battery-staple-4711'
    const seen: (string | undefined)[] = []
    const server = createServer((request, response) => {
      seen.push(request.headers.host)
      response.end('from home')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const args = ['run', '--on', 'far', '--allow', `docs.example:80=127.0.0.1:${port}`, '--secret', 'TOKEN=env:TOKEN@api.example']
    const ran = await lab.run([...args, '--', 'sh', '-c', 'curl -sS http://docs.example/; echo " $TOKEN"; cp /proc/self/environ environ'], {
      env: { TOKEN: secret },
    })
    server.close()
    expect(ran.stdout).toMatch(/^from home \S{10,}\n$/)
    expect([seen, ran.stdout.includes(secret)]).toEqual([['docs.example'], false])
    for (const each of globSync(path.join(lab.far, '**/*'), { withFileTypes: true }).filter((entry) => entry.isFile()))
      expect([each.name, readFileSync(path.join(each.parentPath, each.name)).includes(secret)]).toEqual([each.name, false])
  })

  test('a lost connection is taken up again without a gap, and the end has its exit code', async () => {
    const child = startPaddock(lab.stage, [
      'run',
      '--on',
      'far',
      '--',
      'sh',
      '-c',
      'for i in $(seq 40); do echo $i; sleep 0.05; done; exit 5',
    ])
    let [out, said] = ['', '']
    child.stdout?.on('data', (chunk) => (out += String(chunk)))
    child.stderr?.on('data', (chunk) => (said += String(chunk)))
    await until(() => out.includes('5\n'))
    for (const each of lab.connections()) process.kill(each, 'SIGKILL')
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect(said).toMatch(/the connection to far is lost;.*\n(?:.*\n)*.*far is reached again\n/)
    expect([code, out]).toEqual([5, Array.from({ length: 40 }, (_, index) => `${index + 1}\n`).join('')])
  })

  test('what another machine puts into the repository of a copy runs nothing here', async () => {
    const { stage } = lab
    const git = (...words: readonly string[]) =>
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...words], { cwd: stage.project })
    for (const words of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-qm', 'first'],
    ])
      git(...words)
    const child = startPaddock(stage, [
      'run',
      '--on',
      'far',
      '--',
      'sh',
      '-c',
      'echo ready; while [ ! -e go ]; do sleep 0.1; done; echo changed > deep/a.txt',
    ])
    let [out, said] = ['', '']
    child.stdout?.on('data', (chunk) => (out += String(chunk)))
    child.stderr?.on('data', (chunk) => (said += String(chunk)))
    await until(() => out.includes('ready'))
    const [tree = ''] = treesThere()
    const mark = path.join(stage.root, 'ran')
    const run = path.join(stage.root, 'run')
    writeFileSync(run, `#!/bin/sh\necho "$0 $*" >> ${mark}\n`, { mode: 0o755 })
    // As a hostile machine would: none of it goes through the cell.
    writeFileSync(
      path.join(tree, '.git/config'),
      `[core]\n\tfsmonitor = ${run}\n\thooksPath = hooks\n\tpager = ${run}\n\tsshCommand = ${run}\n[diff]\n\texternal = ${run}\n[filter "x"]\n\tclean = ${run}\n\tsmudge = ${run}\n[alias]\n\tstatus = !${run}\n`,
    )
    for (const each of ['post-checkout', 'pre-commit', 'post-index-change', 'post-applypatch'])
      cpSync(run, path.join(tree, '.git/hooks', each))
    writeFileSync(path.join(tree, '.gitattributes'), '* filter=x diff=x\n')
    writeFileSync(path.join(tree, 'go'), '')
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
    const [, copy = ''] = /paddock apply (\w+)/.exec(said) ?? []
    expect((await lab.run(['review', copy])).stdout).toContain('added     .gitattributes · +1 -0 · RUNS LATER')
    expect((await lab.run(['apply', copy])).stderr).toContain(
      'Nothing was applied, because these will run or be obeyed on your machine later',
    )
    expect((await lab.run(['apply', copy, 'deep/a.txt'])).code).toBe(0)
    expect(stage.read('deep/a.txt')).toBe('changed\n')
    git('status')
    git('diff')
    expect(existsSync(mark)).toBe(false)
    expect(readFileSync(path.join(stage.project, '.git/config'), 'utf8')).not.toContain(run)
    rmSync(path.join(stage.project, '.git'), { recursive: true, force: true })
  })

  test('a cell whose home was killed ends after the time to keep it, and leaves nothing there', async () => {
    const child = startPaddock(lab.stage, ['run', '--on', 'far', '--keep', '1s', '--', 'sh', '-c', 'echo started; sleep 1000'])
    let out = ''
    child.stdout?.on('data', (chunk) => (out += String(chunk)))
    await until(() => out.includes('started'))
    expect(cellsThere()).toHaveLength(1)
    child.kill('SIGKILL')
    await until(() => cellsThere().length === 0)
  })

  test.each([
    [['--worktree', 'x'], '--on and --worktree cannot be combined.'],
    [['--no-copy'], '--on and --no-copy cannot be combined.'],
    [['--dry-run'], '--on and --dry-run cannot be combined.'],
    [['--rw', '.'], '--rw: only the copy of the project is written back with --on.'],
    [['--egress', 'open'], 'Egress open cannot be carried home from another machine.'],
    [['--keep', 'soon'], '--keep soon is not a duration.'],
    [['--posture', 'L4'], 'builds no cells of that isolation level here.'],
  ])('%s is refused', async (options, why) => {
    const ran = await lab.run(['run', '--on', 'far', ...options, '--', 'true'])
    expect([ran.code === 0, ran.stderr]).toEqual([false, expect.stringContaining(why)])
  })
})

test('a machine without Paddock gets a copy of this one, once', async () => {
  await lab.run(['remote', 'remove', 'far'])
  const copies = (): readonly string[] => globSync(`${lab.far}.copies/*`)
  expect(copies()).toEqual([])
  const added = await lab.add([])
  expect([added.code, added.stderr]).toEqual([0, expect.stringContaining('sends this Paddock to far')])
  const [copy = '', ...others] = copies()
  expect([others, existsSync(path.join(copy, 'bin/paddock')), existsSync(path.join(copy, 'dist/packages'))]).toEqual([[], true, false])
  const ran = await lab.run(['run', '--on', 'far', '--', 'sh', '-c', 'echo from there'])
  expect([ran.code, ran.stdout, ran.stderr.includes('sends')]).toEqual([0, 'from there\n', false])
  const checked = await lab.run(['remote', 'check', '--verify', 'far'])
  expect([checked.code, checked.stdout]).toEqual([
    0,
    expect.stringMatching(/a real cell started and ended[\s\S]*\n\d+ of \d+ guarantees held\n/),
  ])
  expect(copies()).toEqual([copy])
})

describe('a machine that is not what it was', () => {
  test('another Paddock, a shell that prints text, and another key are refused by name', async () => {
    const other = path.join(lab.stage.root, 'other')
    writeFileSync(other, "#!/bin/sh\necho 'paddock-cells 1 99.0.0'\nexec cat\n", { mode: 0o755 })
    await lab.run(['remote', 'remove', 'far'])
    const added = await lab.add(['--program', other])
    expect([added.code, added.stderr]).toEqual([125, expect.stringContaining('far: it has Paddock 99.0.0, and this machine has ')])
    expect((await lab.add()).code).toBe(0)
    await lab.force('echo Welcome')
    expect((await lab.run(['run', '--on', 'far', '--', 'true'])).stderr).toContain('its login shell printed "Welcome" instead')
    await lab.changeKey()
    const changed = await lab.run(['run', '--on', 'far', '--', 'true'])
    expect([changed.code, changed.stderr]).toEqual([2, expect.stringContaining('it shows another key than the one that you agreed to')])
  })
})
