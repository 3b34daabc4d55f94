import path from 'node:path'
import { type Filter, profileText, type Rule } from './sbpl.ts'
import type { Layout } from './seatbelt-layout.ts'

/** Paths that every program on macOS needs in addition to the plan: libraries, frameworks and tables. Read-only. */
export const systemTrees = [
  '/System/Library',
  '/System/Volumes/Preboot/Cryptexes',
  '/System/Cryptexes',
  '/Library/Apple',
  '/Library/Frameworks',
  '/Library/Developer/CommandLineTools',
  '/Applications/Xcode.app/Contents/Developer',
  '/private/var/db/dyld',
  '/private/var/db/timezone',
  '/private/var/select',
  '/private/etc/ssl',
  '/private/etc/localtime',
  '/private/etc/protocols',
  '/private/etc/services',
] as const

/**
 * Services that a cell may use: look-ups of user and group names, as in getpwuid(3). Not the key chain, the trust daemon (it makes network
 * requests), the pasteboard or the window server.
 */
export const services = ['com.apple.system.opendirectoryd.libinfo', 'com.apple.system.opendirectoryd.membership'] as const

/** Kernel settings that programs read at their start (sysctl(3)). They reveal nothing about other processes. */
export const settings = [
  ...['activecpu', 'byteorder', 'cacheconfig', 'cachelinesize', 'cpufamily', 'cputype', 'cpusubtype', 'l1dcachesize', 'l2cachesize'],
  ...[
    'logicalcpu',
    'logicalcpu_max',
    'machine',
    'memsize',
    'ncpu',
    'nperflevels',
    'pagesize',
    'physicalcpu',
    'physicalcpu_max',
    'tbfrequency',
  ],
]
  .map((each) => `hw.${each}`)
  .concat(
    ['argmax', 'hostname', 'maxfilesperproc', 'maxproc', 'osproductversion', 'osrelease', 'ostype', 'osversion', 'version'].map(
      (each) => `kern.${each}`,
    ),
  )
  .concat(['sysctl.proc_translated', 'vm.loadavg'])

const readable = ['file-read*', 'file-map-executable', 'process-exec*']

/**
 * Returns the rules of a cell. NOT RUN ON MACOS: written from public descriptions of the language, and tested only as text. `port`: the
 * gateway's port on the loopback; null for no network.
 */
export function profileRules(layout: Layout, port: number | null): readonly Rule[] {
  const subpath = (text: string): Filter => ({ kind: 'subpath', text })
  const literal = (text: string): Filter => ({ kind: 'literal', text })
  const visible = [...systemTrees, ...layout.areas.filter((each) => each.access !== 'none').map((each) => each.path)]
  return [
    { action: 'allow', operations: ['process-fork'], filters: [] },
    { action: 'allow', operations: ['signal', 'process-info*'], filters: [{ kind: 'same-sandbox' }] },
    { action: 'allow', operations: ['sysctl-read'], filters: settings.map((text) => ({ kind: 'sysctl-name', text })) },
    { action: 'allow', operations: ['mach-lookup'], filters: services.map((text) => ({ kind: 'global-name', text })) },
    // The dynamic loader lists the root.
    { action: 'allow', operations: ['file-read*'], filters: [literal('/')] },
    { action: 'allow', operations: ['file-read*'], filters: ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'].map(literal) },
    { action: 'allow', operations: ['file-write-data'], filters: [literal('/dev/null')] },
    { action: 'allow', operations: readable, filters: systemTrees.map(subpath) },
    ...layout.areas.flatMap(areaRules),
    // Resolving a path reads metadata of the parent directories, but does not list them.
    { action: 'allow', operations: ['file-read-metadata'], filters: ancestors(visible).map(literal) },
    ...(layout.fixed.length === 0
      ? []
      : [{ action: 'deny' as const, operations: ['file-write-unlink'], filters: layout.fixed.map(literal) }]),
    // A file with such a mode would run on the host with the rights of its owner. A hard link would bypass the rules on paths.
    { action: 'deny', operations: ['file-write-setugid', 'file-link'], filters: [] },
    { action: 'deny', operations: ['network*'], filters: [] },
    ...(port === null
      ? []
      : [{ action: 'allow' as const, operations: ['network-outbound'], filters: [{ kind: 'localhost-tcp' as const, port }] }]),
  ]
}

function areaRules({ path: at, access }: Layout['areas'][number]): readonly Rule[] {
  const filters: readonly Filter[] = [{ kind: 'subpath', text: at }]
  const rule = (action: Rule['action'], ...operations: readonly string[]): Rule => ({ action, operations, filters })
  if (access === 'rw') return [rule('allow', ...readable, 'file-write*')]
  if (access === 'ro') return [rule('allow', ...readable), rule('deny', 'file-write*')]
  return [rule('deny', ...readable, 'file-write*')]
}

/** Returns the profile of a cell, for `sandbox-exec -p`. */
export function seatbeltProfile(layout: Layout, port: number | null): string {
  return profileText(profileRules(layout, port))
}

/** Returns all ancestor directories of these paths, without duplicates. */
function ancestors(paths: readonly string[]): readonly string[] {
  const found = new Set<string>()
  for (const each of paths) for (let at = path.dirname(each); !found.has(at); at = path.dirname(at)) found.add(at)
  return [...found].sort()
}
