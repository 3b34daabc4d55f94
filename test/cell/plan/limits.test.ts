import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enforce } from '../../../src/cell/backends/enforcement.ts'
import { launcher, quote } from '../../../src/cell/backends/launcher.ts'
import { planLimits } from '../../../src/cell/plan/cell-limits.ts'
import { parseHardLimits } from '../../../src/cell/plan/hard-limits.ts'
import { createCgroup, userManagerHoldsCpus } from '../../../src/cell/resources/cgroup.ts'
import { machine } from '../machine.ts'

const limits = planLimits({ memory: 100 * 1024 ** 2, pids: 50 }, machine())

let noted: readonly string[] = []
const note = (directories: readonly string[]): void => {
  noted = directories
  expect(directories.filter((each) => existsSync(each))).toEqual([])
}

/** The layout of cgroup v2 with a delegated ancestor, as plain files without a kernel. */
describe('control groups of version 2', () => {
  let mount: string
  beforeEach(() => {
    mount = mkdtempSync('/tmp/paddock-cgroup-')
    writeFileSync(path.join(mount, 'cgroup.controllers'), 'cpu memory pids')
    for (const [directory, handed] of [
      ['user', 'memory pids'],
      ['user/app', ''],
      ['user/app/shell', ''],
    ] as const) {
      mkdirSync(path.join(mount, directory))
      writeFileSync(path.join(mount, directory, 'cgroup.subtree_control'), handed)
      writeFileSync(path.join(mount, directory, 'cgroup.procs'), '')
    }
  })
  afterEach(() => rmSync(mount, { recursive: true }))

  it('are made below the nearest ancestor that hands the controllers down', async () => {
    const group = createCgroup('abc', limits, { mount, self: '0::/user/app/shell\n' }, note)
    const directory = path.join(mount, 'user/paddock-abc')
    expect(group).toMatchObject({ mechanism: 'cgroup v2', holds: { memory: true, processes: true, cpus: true } })
    expect(noted).toEqual([directory])
    expect(readFileSync(path.join(directory, 'memory.max'), 'utf8')).toBe(String(100 * 1024 ** 2))
    expect(readFileSync(path.join(directory, 'pids.max'), 'utf8')).toBe('50')
    await group?.add(4242)
    expect(readFileSync(path.join(directory, 'cgroup.procs'), 'utf8')).toBe('4242')
    writeFileSync(path.join(directory, 'memory.events'), 'low 0\noom 3\noom_kill 2\n')
    writeFileSync(path.join(directory, 'memory.peak'), '12345\n')
    writeFileSync(path.join(directory, 'cpu.stat'), 'usage_usec 1500000\nuser_usec 1\n')
    expect([group?.oomKills(), group?.peakMemoryBytes(), group?.cpuMs()]).toEqual([2, 12345, 1500])
    expect(group?.remove()).toBe(false)
  })

  it('hold a share of the processors only where that controller is handed down too', () => {
    const shared = planLimits({ cpus: 1.5 }, machine())
    const group = createCgroup('abc', shared, { mount, self: '0::/user/app/shell\n' }, note)
    expect(group?.holds).toEqual({ memory: true, processes: true, cpus: false })
    writeFileSync(path.join(mount, 'user/cgroup.subtree_control'), 'memory pids cpu')
    expect(createCgroup('def', shared, { mount, self: '0::/user/app/shell\n' }, note)?.holds.cpus).toBe(true)
    expect(readFileSync(path.join(mount, 'user/paddock-def/cpu.max'), 'utf8')).toBe('150000 100000')
    const tiny = planLimits({ cpus: 0.001 }, machine())
    createCgroup('ghi', tiny, { mount, self: '0::/user/app/shell\n' }, note)
    expect(readFileSync(path.join(mount, 'user/paddock-ghi/cpu.max'), 'utf8')).toBe('1000 100000')
  })

  it('ask the user’s systemd whether it divides processor time', () => {
    const manager = path.join(mount, 'user.slice/user@1000.service')
    mkdirSync(manager, { recursive: true })
    writeFileSync(path.join(manager, 'cgroup.controllers'), 'cpu memory pids\n')
    const self = '0::/user.slice/user@1000.service/app.slice/shell.scope\n'
    expect(userManagerHoldsCpus({ mount, self })).toBe(true)
    writeFileSync(path.join(manager, 'cgroup.controllers'), 'memory pids\n')
    expect(userManagerHoldsCpus({ mount, self })).toBe(false)
    expect(userManagerHoldsCpus({ mount, self: '0::/user/app\n' })).toBe(false)
  })

  it('are not made if no ancestor delegates the controllers', () => {
    writeFileSync(path.join(mount, 'user/cgroup.subtree_control'), 'cpu')
    expect(createCgroup('abc', limits, { mount, self: '0::/user/app/shell\n' }, note)).toBeNull()
    expect(existsSync(path.join(mount, 'user/paddock-abc'))).toBe(false)
  })
})

describe('enforcement', () => {
  const held = { mechanism: 'cgroup v2' as const, holds: { memory: true, processes: true, cpus: true } }

  it('names the mechanism of every limit', () => {
    expect(enforce(limits, held, false, []).limits.map((each) => `${each.limit}: ${each.mechanism}`)).toEqual([
      'timeout: none',
      'silence: none',
      'memory: cgroup v2',
      'pids: cgroup v2',
      'fileSize: rlimit',
      'disk: size watch',
      'cpus: none',
    ])
    expect(enforce(limits, null, true, []).limits.find((each) => each.limit === 'memory')?.mechanism).toBe('systemd-run')
  })

  it('refuses a share of the processors that nothing holds, unless it is given up by name', () => {
    const shared = planLimits({ cpus: 1 }, machine())
    const without = { ...held, holds: { ...held.holds, cpus: false } }
    for (const [group, scope] of [
      [null, false],
      [null, true],
      [without, false],
    ] as const)
      expect(() => enforce(shared, group, scope, [])).toThrow(expect.objectContaining({ code: 'UNENFORCEABLE' }))
    const mechanism = (...given: Parameters<typeof enforce>) => enforce(...given).limits.find((each) => each.limit === 'cpus')?.mechanism
    expect(mechanism(shared, held, false, [])).toBe('cgroup v2')
    expect(mechanism(shared, null, 'with cpus', [])).toBe('systemd-run')
    expect(mechanism(shared, null, false, ['cpus'])).toBe('none')
  })

  it('refuses an asked-for memory limit that would only be held in part, unless it is given up by name', () => {
    expect(() => enforce(limits, null, false, [])).toThrow(expect.objectContaining({ code: 'UNENFORCEABLE' }))
    const degraded = enforce(limits, null, false, ['memory'])
    expect(degraded.prlimit).toEqual(['--core=0', '--nproc=50', '--fsize=17179869184'])
    expect(degraded.limits.find((each) => each.limit === 'memory')?.gap).toMatch(/measured four times a second/)
    expect(() => enforce(planLimits({}, machine()), null, false, [])).not.toThrow()
  })
})

describe('control groups of version 1', () => {
  it('share one directory where two controllers share a hierarchy', () => {
    const mount = mkdtempSync('/tmp/paddock-cgroup-')
    try {
      mkdirSync(path.join(mount, 'cpu,cpuacct/own'), { recursive: true })
      for (const each of ['cpu', 'cpuacct']) symlinkSync('cpu,cpuacct', path.join(mount, each))
      const group = createCgroup('abc', planLimits({ cpus: 0.5 }, machine()), { mount, self: '4:cpu,cpuacct:/own\n' }, note)
      expect(group).toMatchObject({ mechanism: 'cgroup v1', holds: { memory: false, processes: false, cpus: true } })
      expect(new Set(noted.map((each) => statSync(each).ino)).size).toBe(1)
      expect(readFileSync(path.join(mount, 'cpu,cpuacct/own/paddock-abc/cpu.cfs_quota_us'), 'utf8')).toBe('50000')
    } finally {
      rmSync(mount, { recursive: true })
    }
  })
})

describe('the launcher', () => {
  it('quotes whatever it is given', () => {
    expect(quote(`a'b"$(x)`)).toBe(`'a'\\''b"$(x)'`)
    const script = launcher(
      { sh: '/bin/sh', prlimit: "/a'b/prlimit" },
      { prepare: [{ from: '/etc/paddock/home/0', to: "/home/a'b/.x/y", overwrite: false }] },
      { limits: ['--core=0'], fds: { agentStderr: 6, gate: 8 } },
    )
    expect(script).toMatch(/^exec '\/a'\\''b\/prlimit' --core=0 -- "\$@"$/m)
    expect(script).toContain(`'/home/a'\\''b/.x/y'`)
  })
})

describe('7: hard limits of this process', () => {
  const GiB = 1024 ** 3
  const text = `Limit                     Soft Limit           Hard Limit           Units
Max file size             unlimited            1073741824           bytes
Max data size             unlimited            unlimited            bytes
Max processes             500                  1000                 processes
`

  it('are read from /proc/self/limits', () => {
    expect(parseHardLimits(text)).toEqual({ fileBytes: GiB, dataBytes: null, processes: 1000 })
    expect(parseHardLimits('')).toEqual({ fileBytes: null, dataBytes: null, processes: null })
  })

  it('lower the defaults, and refuse what was asked for above them', () => {
    const here = { ...machine(), hardLimits: parseHardLimits(text) }
    expect(planLimits({}, here)).toMatchObject({
      fileSize: { value: GiB, asked: false },
      pids: { value: 1000, asked: false },
    })
    expect(planLimits({ fileSize: GiB }, here).fileSize).toEqual({ value: GiB, asked: true })
    expect(() => planLimits({ fileSize: GiB + 1 }, here)).toThrow('The fileSize limit of 1.0 GiB cannot be set')
  })
})
