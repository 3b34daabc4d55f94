import { describe, expect, it } from 'vitest'
import { compileFilter, compileInitFilter, type FilteredArchitecture, machineFilter } from '../../src/cell/backends/seccomp/compile.ts'
import {
  deniedCalls,
  internet,
  modeCalls,
  namespaceCalls,
  plainFamilies,
  valueCalls,
} from '../../src/cell/backends/seccomp/syscall-filter.ts'

const audit = { x64: 0xc000_003e, arm64: 0xc000_00b7 }
const socket = { x64: 41, arm64: 198 }

/** Runs classic BPF like the kernel, on struct seccomp_data, for the instructions that the filter uses. */
function run(program: Uint8Array, call: { number: number; audit: number; args?: readonly number[] }): number {
  const data = new DataView(new ArrayBuffer(64))
  data.setUint32(0, call.number, true)
  data.setUint32(4, call.audit, true)
  for (const [index, value] of (call.args ?? []).entries()) data.setUint32(16 + index * 8, value, true)
  const view = new DataView(program.buffer)
  let accumulator = 0
  for (let at = 0; at < program.length / 8; at++) {
    const [code, then, otherwise, k] = [
      view.getUint16(at * 8, true),
      view.getUint8(at * 8 + 2),
      view.getUint8(at * 8 + 3),
      view.getUint32(at * 8 + 4, true),
    ]
    if (code === 0x20) accumulator = data.getUint32(k, true)
    else if (code === 0x06) return k
    else if (code === 0x15) at += accumulator === k ? then : otherwise
    else if (code === 0x35) at += accumulator >= k ? then : otherwise
    else if (code === 0x45) at += (accumulator & k) !== 0 ? then : otherwise
    else throw new Error(`unknown instruction ${code}`)
  }
  throw new Error('the program ran out')
}

const allow = 0x7fff_0000
const askListener = 0x7fc0_0000
const kill = 0x8000_0000
const errno = (value: number): number => ((value & 0xffff_0000) >>> 0 === 0x0005_0000 ? value & 0xffff : -1)

describe.each(['x64', 'arm64'] as const)('the filter for %s', (architecture: FilteredArchitecture) => {
  const program = compileFilter(architecture)
  const call = (number: number, args: readonly number[] = []): number => run(program, { number, audit: audit[architecture], args })

  it('kills what speaks for another architecture, and x32', () => {
    expect(run(program, { number: 1, audit: 0x4000_0003 })).toBe(kill)
    if (architecture === 'x64') expect(call(0x4000_0000 + 1)).toBe(kill)
  })

  it('refuses every call on the list, and no other', () => {
    const numbers = new Set(deniedCalls.map((each) => each[architecture]))
    const modes = new Set([...modeCalls, ...namespaceCalls, ...valueCalls].map((each) => each[architecture]))
    for (const each of deniedCalls) {
      const number = each[architecture]
      if (number !== null)
        expect([each.name, errno(call(number))]).toEqual([
          each.name,
          { none: 0, EPERM: 1, ENOSYS: 38, ENODATA: 61, EOPNOTSUPP: 95 }[each.error],
        ])
    }
    for (let number = 0; number < 470; number++)
      if (!numbers.has(number) && !modes.has(number) && number !== socket[architecture])
        expect([number, call(number)]).toEqual([number, allow])
  })

  it('opens sockets of few families', () => {
    for (let family = 0; family < 50; family++)
      expect([family, call(socket[architecture], [family]) === allow]).toEqual([
        family,
        [...plainFamilies, ...internet.families].includes(family),
      ])
  })

  it('opens TCP and UDP of IPv4 and IPv6, and no other protocol', () => {
    for (const family of [2, 10]) {
      for (let protocol = 0; protocol < 300; protocol++)
        for (const type of [1, 2, 1 | 0x8_0000, 2 | 0x800])
          expect([protocol, call(socket[architecture], [family, type, protocol]) === allow]).toEqual([
            protocol,
            [0, 6, 17].includes(protocol),
          ])
      // SOCK_RDM, SOCK_SEQPACKET (SCTP), SOCK_DCCP, SOCK_PACKET.
      for (const type of [4, 5, 6, 10]) expect([type, errno(call(socket[architecture], [family, type, 0]))]).toEqual([type, 94])
    }
    const pair = architecture === 'x64' ? 53 : 199
    for (let family = 0; family < 50; family++) expect([family, call(pair, [family, 1, 0]) === allow]).toEqual([family, family === 1])
  })

  it('exchanges no blocks between files, and leaves other requests to devices and files', () => {
    const ioctl = architecture === 'x64' ? 16 : 29
    for (const each of [0xc028_660f, 0xc0c0_586d, 0xc020_f509]) expect([each, errno(call(ioctl, [3, each]))]).toEqual([each, 1])
    // TCGETS, TIOCGWINSZ, FICLONE, FS_IOC_GETFLAGS.
    for (const each of [0x5401, 0x5413, 0x4004_9409, 0x8008_6601]) expect(call(ioctl, [3, each])).toBe(allow)
  })

  it('gives no leases, and no personality but what setarch asks for', () => {
    const [fcntl, personality] = architecture === 'x64' ? [72, 135] : [25, 92]
    for (let command = 0; command < 1100; command++)
      expect([command, call(fcntl, [3, command]) === allow]).toEqual([command, command !== 1024 && command !== 1040])
    for (const each of [0, 8, 0x4_0000, 0xffff_ffff]) expect(call(personality, [each])).toBe(allow)
    // READ_IMPLIES_EXEC, MMAP_PAGE_ZERO, ADDR_COMPAT_LAYOUT, STICKY_TIMEOUTS, and that of another system.
    for (const each of [0x40_0000, 0x44_0000, 0x10_0000, 0x20_0000, 0x400_0000, 1])
      expect([each, errno(call(personality, [each]))]).toEqual([each, 1])
  })

  it('refuses modes with set-user-ID and set-group-ID, where a mode means something', () => {
    for (const each of modeCalls) {
      const number = each[architecture]
      if (number === null) continue
      const args = (mode: number, flags: number): number[] =>
        [0, 1, 2, 3].map((index) => (index === each.mode ? mode : index === each.flags ? flags : 0))
      for (const mode of [0o4755, 0o6755, 0o6000]) expect([each.name, errno(call(number, args(mode, 0o101)))]).toEqual([each.name, 1])
      const groupId = errno(call(number, args(0o2755, 0o101)))
      expect([each.name, groupId]).toEqual([each.name, each.name.includes('chmod') ? 0 : 1])
      expect(call(number, args(0o1777, 0o101))).toBe(allow)
      if (each.flags !== undefined) expect(call(number, args(0o4755, 0o2))).toBe(allow)
      if (each.flags !== undefined) expect(errno(call(number, args(0o4755, 0o20200002)))).toBe(1)
    }
  })

  it('refuses namespaces by clone and unshare, and nothing else of them', () => {
    for (const each of namespaceCalls) {
      const number = each[architecture]
      for (const flag of [0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000])
        expect([each.name, flag, errno(call(number, [flag | 17]))]).toEqual([each.name, flag, 1])
      // Flags of libc for threads and forks: CLONE_VM … CLONE_CHILD_CLEARTID, SIGCHLD.
      for (const flags of [17, 0x003d_0f00, 0x0120_0011]) expect(call(number, [flags])).toBe(allow)
    }
    expect(errno(call(architecture === 'x64' ? 272 : 97, [0x80]))).toBe(1)
  })

  it('lets a nested sandbox make namespaces and mounts, and nothing more', () => {
    const open = compileFilter(architecture, { nested: true })
    const nested = (number: number, args: readonly number[] = []): number => run(open, { number, audit: audit[architecture], args })
    for (const each of deniedCalls) {
      const number = each[architecture]
      if (number !== null) expect([each.name, nested(number) === allow]).toEqual([each.name, each.nesting === true])
    }
    for (const each of namespaceCalls) expect(nested(each[architecture], [0x7e02_0000])).toBe(allow)
    for (const program of [compileFilter(architecture), open]) {
      const traced = (pid: number): number =>
        run(program, { number: architecture === 'x64' ? 101 : 117, audit: audit[architecture], args: [16, pid] })
      expect([errno(traced(1)), traced(0), traced(2)]).toEqual([1, allow, allow])
    }
  })

  it('leaves a chmod with only the set-group-ID bit to the init', () => {
    const [first, second] = [compileFilter(architecture, { hasInit: true }), compileInitFilter(architecture)]
    const both = (number: number, args: readonly number[]): readonly number[] =>
      [first, second].map((each) => run(each, { number, audit: audit[architecture], args }))
    for (const each of modeCalls) {
      const number = each[architecture]
      if (number === null) continue
      const mode = (value: number): readonly number[] =>
        [0, 1, 2, 3].map((at) => (at === each.mode ? value : at === each.flags ? 0o101 : 0))
      const refused = 0x0005_0001
      expect(both(number, mode(0o2755))).toEqual(each.changes ? [allow, askListener] : [refused, allow])
      expect(both(number, mode(0o1755))).toEqual([allow, allow])
      for (const value of [0o4755, 0o6755]) expect(both(number, mode(value))[0]).toBe(refused)
    }
  })

  it('opens netlink only for routes', () => {
    for (let protocol = 0; protocol < 24; protocol++)
      expect([protocol, call(socket[architecture], [16, 3, protocol]) === allow]).toEqual([protocol, protocol === 0])
  })

  it('stays in reach of its jumps', () => {
    expect(program.length / 8).toBeLessThan(4096)
  })
})

it('there is none for other architectures', () => {
  expect(machineFilter('riscv64')).toBeNull()
})
