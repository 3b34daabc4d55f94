import { type DeniedCall, deniedCalls, internet, modeCalls, namespaceCalls, netlink, plainFamilies, valueCalls } from './syscall-filter.ts'

/** The supported architectures, each with its AUDIT_ARCH and its number of socket(2). */
const architectures = {
  x64: { audit: 0xc000_003e, socket: 41 },
  arm64: { audit: 0xc000_00b7, socket: 198 },
} as const

export type FilteredArchitecture = keyof typeof architectures

/** Instructions of classic BPF (seccomp(2), bpf(4)): load a word, compare, return. */
const load = (offset: number): Instruction => [0x20, 0, 0, offset]
const ifEqual = (value: number, then: number, otherwise: number): Instruction => [0x15, then, otherwise, value]
const ifAtLeast = (value: number, then: number, otherwise: number): Instruction => [0x35, then, otherwise, value]
const ifAnyBit = (bits: number, then: number, otherwise: number): Instruction => [0x45, then, otherwise, bits]
const answer = (value: number): Instruction => [0x06, 0, 0, value]

const oneOf = (values: readonly number[], found: Instruction): readonly Instruction[] =>
  values.flatMap((each) => [ifEqual(each, 0, 1), found])

type Instruction = readonly [code: number, then: number, otherwise: number, value: number]

const allow = 0x7fff_0000
const askListener = 0x7fc0_0000
const killProcess = 0x8000_0000
const refuse = (errno: number): number => 0x0005_0000 | errno
/** With an error of 0, the call returns 0 and has no effect. */
const errnos = { none: 0, EPERM: 1, ENOSYS: 38, ENODATA: 61, EPROTONOSUPPORT: 93, ESOCKTNOSUPPORT: 94, EOPNOTSUPP: 95, EAFNOSUPPORT: 97 }

/** Offsets into struct seccomp_data: the call's number, the architecture, the low half of the first argument. */
const offsets = { number: 0, architecture: 4, argument: 16 }
const argument = (index: number): number => offsets.argument + index * 8
/** The bits S_ISUID and S_ISGID; O_CREAT, and O_TMPFILE without O_DIRECTORY. */
const bits = { setUserId: 0o4000, setGroupId: 0o2000, creates: 0o20000100 }

export interface FilterOptions {
  /** Allows an agent's own sandbox to create namespaces and mounts inside the cell. */
  readonly nested?: boolean
  /** Leaves a chmod with only the set-group-ID bit to the filter of the cell's init (`compileInitFilter`). */
  readonly hasInit?: boolean
}

/** Returns the filter as the bytes of an array of struct sock_filter, little-endian like both architectures. */
export function compileFilter(
  architecture: FilteredArchitecture,
  { nested = false, hasInit = false }: FilterOptions = {},
  calls: readonly DeniedCall[] = deniedCalls,
): Uint8Array {
  const { audit, socket } = architectures[architecture]
  const program: Instruction[] = [load(offsets.architecture), ifEqual(audit, 1, 0), answer(killProcess), load(offsets.number)]
  // x32 has separate numbers for the same calls (bit 30).
  if (architecture === 'x64') program.push(ifAtLeast(0x4000_0000, 0, 1), answer(killProcess))
  for (const call of calls) {
    const number = call[architecture]
    if (number !== null && !(nested && call.nesting)) program.push(ifEqual(number, 0, 1), answer(refuse(errnos[call.error])))
  }
  for (const call of nested ? [] : namespaceCalls) {
    const check = [load(argument(0)), ifAnyBit(call.bits, 0, 1), answer(refuse(errnos.EPERM)), answer(allow)]
    program.push(ifEqual(call[architecture], 0, check.length), ...check)
  }
  for (const call of modeCalls) {
    const number = call[architecture]
    if (number === null) continue
    const groupId = call.changes !== true ? refuse(errnos.EPERM) : hasInit ? allow : refuse(errnos.none)
    const check = [
      ...[load(argument(call.mode)), ifAnyBit(bits.setUserId, 0, 1), answer(refuse(errnos.EPERM))],
      ...[ifAnyBit(bits.setGroupId, 0, 1), answer(groupId), answer(allow)],
    ]
    if (call.flags !== undefined) check.unshift(load(argument(call.flags)), ifAnyBit(bits.creates, 1, 0), answer(allow))
    program.push(ifEqual(number, 0, check.length), ...check)
  }
  for (const call of valueCalls) {
    const { values } = call
    const found = answer('refused' in values ? refuse(errnos[call.error]) : allow)
    const other = answer('refused' in values ? allow : refuse(errnos[call.error]))
    const check = [load(argument(call.argument)), ...oneOf('refused' in values ? values.refused : values.allowed, found), other]
    program.push(ifEqual(call[architecture], 0, check.length), ...check)
  }
  program.push(ifEqual(socket, 1, 0), answer(allow), load(argument(0)))
  const protocols = [
    ...[load(argument(1)), ifAnyBit(internet.otherTypes, 0, 1), answer(refuse(errnos.ESOCKTNOSUPPORT))],
    ...[load(argument(2)), ...oneOf(internet.protocols, answer(allow)), answer(refuse(errnos.EPROTONOSUPPORT))],
  ]
  for (const family of internet.families) program.push(ifEqual(family, 0, protocols.length), ...protocols)
  program.push(
    ...oneOf(
      plainFamilies.filter((each) => each !== netlink.family),
      answer(allow),
    ),
  )
  program.push(ifEqual(netlink.family, 0, 3), load(argument(2)), ifEqual(netlink.protocol, 0, 1), answer(allow))
  program.push(answer(refuse(errnos.EAFNOSUPPORT)))
  return bytesOf(program)
}

/** Returns the filter of a cell's init, which gives a chmod with the set-group-ID bit to the init (`init.pl`). */
export function compileInitFilter(architecture: FilteredArchitecture): Uint8Array {
  const program: Instruction[] = [load(offsets.architecture), ifEqual(architectures[architecture].audit, 1, 0), answer(killProcess)]
  program.push(load(offsets.number))
  for (const call of modeCalls) {
    const number = call[architecture]
    if (number === null || call.changes !== true) continue
    const check = [load(argument(call.mode)), ifAnyBit(bits.setGroupId, 0, 1), answer(askListener), answer(allow)]
    program.push(ifEqual(number, 0, check.length), ...check)
  }
  program.push(answer(allow))
  return bytesOf(program)
}

function bytesOf(program: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(program.length * 8))
  for (const [index, [code, then, otherwise, value]] of program.entries()) {
    bytes.setUint16(index * 8, code, true)
    bytes.setUint8(index * 8 + 2, then)
    bytes.setUint8(index * 8 + 3, otherwise)
    bytes.setUint32(index * 8 + 4, value, true)
  }
  return new Uint8Array(bytes.buffer)
}

/** Returns the filter for this machine, or null if its architecture is not supported. */
export function machineFilter(architecture: string, options: FilterOptions = {}): Uint8Array | null {
  return isFiltered(architecture) ? compileFilter(architecture, options) : null
}

export function isFiltered(architecture: string): architecture is FilteredArchitecture {
  return Object.hasOwn(architectures, architecture)
}
