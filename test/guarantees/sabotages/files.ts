import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, readdirSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import type * as Init from '../../../src/cell/backends/cell-init.ts'
import type * as Mounts from '../../../src/cell/backends/make-mounts.ts'
import type * as Staging from '../../../src/cell/backends/staging.ts'
import type * as Filesystem from '../../../src/cell/plan/filesystem.ts'
import type * as Masks from '../../../src/cell/plan/masks.ts'
import type * as RightsOfCells from '../../../src/cell/plan/rights.ts'
import type * as SharedFiles from '../../../src/cell/plan/shared-files.ts'
import type * as Pipes from '../../../src/cell/streams/pipes.ts'
import type * as SettleHome from '../../../src/cell/trees/homes/settle-home.ts'
import type * as PrivateHome from '../../../src/cell/trees/keep-private-home.ts'
import type * as Changes from '../../../src/cell/trees/tree-changes.ts'
import type * as VerifyMounts from '../../../src/cell/trees/verify-mounts.ts'
import type * as Walk from '../../../src/files/walk.ts'
import type * as Inputs from '../../../src/setup/inputs.ts'
import type * as Make from '../../../src/setup/make.ts'
import type * as Place from '../../../src/setup/setup-place.ts'
import { replace, type Sabotage } from './sabotage.ts'
import { withArguments, withFilesystem, withOwnState, withoutFilter, withSurroundings } from './ways.ts'

const withRealHome = (): void =>
  withFilesystem((entries, _, machine) =>
    entries.map((each) =>
      each.kind === 'tmpfs' && each.path === machine.user.home
        ? { kind: 'bind', source: machine.realHome, target: each.path, access: 'ro', reason: 'user' }
        : each,
    ),
  )

const plainly = (directory: string): ReturnType<typeof Filesystem.planFilesystem>[number] => ({
  kind: 'bind',
  source: directory,
  target: directory,
  access: 'rw',
  reason: 'user',
})

/** The program that makes mounts, without its last steps. */
const withoutSeal = (): void =>
  replace<typeof Mounts>('cell/backends/make-mounts.ts', ({ startMounter }) => ({
    startMounter: (perl) => {
      const mounter = startMounter(perl)
      return { ...mounter, make: (init, late, links) => mounter.make(init, { ...late, views: [] }, links) }
    },
  }))

/** A naive walk that does not consider links. */
async function* trustingWalk(root: string, names: readonly Buffer[] = []): AsyncGenerator<Walk.WalkEntry, void, void> {
  for (const name of readdirSync(path.join(root, ...names.map(String)))) {
    const at = path.join(root, ...names.map(String), name)
    const kind = statSync(at, { throwIfNoEntry: false })?.isDirectory() === true ? 'directory' : 'file'
    let skipped = false
    yield {
      names: [...names, Buffer.from(name)],
      kind,
      lstat: () => lstatSync(at),
      open: () => -1,
      readlink: () => Buffer.from(''),
      realpath: () => Buffer.from(at),
      rename: (from, to) => renameSync(path.join(path.dirname(at), String(from)), path.join(path.dirname(at), String(to))),
      openToOwner: () => {},
      letOwnerRead: () => null,
      skip: () => {
        skipped = true
      },
    }
    if (kind === 'directory' && !skipped) yield* trustingWalk(root, [...names, Buffer.from(name)])
  }
}

/** Lets other uids than the owner's reach the directories of a test. */
function openTheWayTo(file: string): void {
  for (let each = file; each.startsWith('/tmp/paddock-sabotage-'); each = path.dirname(each)) chmodSync(each, statSync(each).mode | 0o055)
}

export const filesSabotages: readonly Sabotage[] = [
  {
    id: 'host-view-leads-nowhere',
    posture: 'L1',
    without: 'the overlay of a directory, which is mounted itself instead',
    evidence: /a socket of the host: connected/,
    break: () =>
      withFilesystem((entries) => entries.map((each) => (each.kind === 'overlay' && each.access === 'rw' ? plainly(each.path) : each))),
  },
  {
    id: 'system-read-only',
    posture: 'L1',
    without: 'the read-only overlays, which are writable instead',
    break: () =>
      withFilesystem((entries) => entries.map((each) => (each.kind === 'overlay' ? { ...each, access: 'rw', sizeBytes: 1 << 20 } : each))),
  },
  {
    id: 'credentials-absent',
    posture: 'L1',
    without: 'the whiteouts in the overlay of the home',
    break: () => withFilesystem((entries) => entries.map((each) => (each.kind === 'overlay' ? { ...each, hidden: [] } : each))),
  },
  { id: 'host-files-absent', without: 'the allowlist of mounts', break: withSurroundings },
  { id: 'host-files-absent', without: 'the end of the views', evidence: /shadow exists/, break: withoutSeal },
  { id: 'system-read-only', without: 'the seal of the root', evidence: /mkdir \/(?:etc)?\/?/, break: withoutSeal },
  {
    id: 'shared-files-apart',
    without: 'own copies of shared files',
    evidence: /changed in another directory: node_modules/,
    break: withSharedFiles,
  },
  { id: 'home-absent', without: 'a private home', evidence: /entries of your home/, break: withRealHome },
  { id: 'credentials-absent', without: 'a private home', evidence: /\.ssh/, break: withRealHome },
  { id: 'own-files-absent', without: 'an unmounted state directory', evidence: /cells/, break: withOwnState },
  {
    id: 'own-files-not-mountable',
    without: 'the refusal of Paddock’s own directories',
    evidence: /started/,
    break: () =>
      replace<typeof Filesystem>('cell/plan/filesystem.ts', ({ planFilesystem }) => ({
        planFilesystem: (spec, machine, ...rest) => planFilesystem(spec, { ...machine, ownDirectories: [] }, ...rest),
      })),
  },
  { id: 'projects-apart', without: 'the allowlist of mounts', break: withSurroundings },
  {
    id: 'home-settings-apart',
    without: 'the preparation of the home',
    evidence: /has what an earlier one planted/,
    break: () =>
      replace<typeof SettleHome>('cell/trees/homes/settle-home.ts', () => ({ settleHome: async () => ({ entries: [], directory: '' }) })),
  },
  {
    id: 'home-settings-apart',
    without: 'the comparison of rights',
    evidence: /has what an earlier one planted/,
    break: () => replace<typeof RightsOfCells>('cell/plan/rights.ts', () => ({ covers: () => true })),
  },
  {
    id: 'private-homes-apart',
    without: 'separate homes',
    break: () =>
      withFilesystem((entries) =>
        entries.map((each) =>
          each.kind === 'bind' && each.reason === 'home' ? { ...each, source: path.dirname(path.dirname(each.source)) } : each,
        ),
      ),
  },
  {
    id: 'temporary-files-own',
    without: 'a private /tmp',
    break: () =>
      withFilesystem((entries) =>
        entries.map((each) =>
          each.kind === 'tmpfs' && each.path === '/tmp'
            ? { kind: 'bind', source: '/tmp', target: '/tmp', access: 'rw', reason: 'user' }
            : each,
        ),
      ),
  },
  { id: 'links-lead-nowhere', without: 'the allowlist of mounts', break: withSurroundings },
  { id: 'proc-leads-nowhere', without: 'the allowlist of mounts', evidence: /was read by \/proc/, break: withSurroundings },
  { id: 'loader-gains-nothing', without: 'the allowlist of mounts', evidence: /through the loader/, break: withSurroundings },
  {
    id: 'nothing-inherited',
    without: 'the search for leaked descriptors',
    evidence: /inherited/,
    break: () => replace<typeof Pipes>('cell/streams/pipes.ts', () => ({ leakingDescriptors: () => [] })),
  },
  {
    id: 'system-read-only',
    without: 'read-only mounts of the system',
    break: () => withArguments((args) => args.map((each, at) => (each === '--ro-bind' && args[at + 1] === args[at + 2] ? '--bind' : each))),
  },
  {
    id: 'read-only-mounts-stay-so',
    without: 'read-only mounts',
    evidence: /changed on the host/,
    break: () =>
      withFilesystem((entries) =>
        entries.map((each) => (each.kind === 'bind' && each.reason === 'user' ? { ...each, access: 'rw' } : each)),
      ),
  },
  {
    id: 'masked-files-empty',
    without: 'masks',
    evidence: /read masked files/,
    break: () => replace<typeof Masks>('cell/plan/masks.ts', () => ({ masked: (entries) => entries })),
  },
  {
    id: 'masked-files-empty',
    without: 'masks on every mount',
    evidence: /read masked files: \/mnt\/other/,
    break: () =>
      replace<typeof Masks>('cell/plan/masks.ts', ({ masked }) => ({
        masked: (entries, masks) => masked(entries, masks).filter((each) => each.kind !== 'mask' || !each.target.startsWith('/mnt/')),
      })),
  },
  {
    id: 'masked-files-empty',
    without: 'mount points over the parent directories',
    evidence: /sub\/deep\/key\.pem|rename sub/,
    break: () =>
      replace<typeof Masks>('cell/plan/masks.ts', ({ masked }) => ({
        masked: (entries, masks) => {
          const known = new Set(entries.map((each) => ('target' in each ? each.target : each.path)))
          return masked(entries, masks).filter((each) => each.kind !== 'bind' || known.has(each.target))
        },
      })),
  },
  {
    id: 'setup-results-apart',
    without: 'a copy for each tree and own copies of shared files',
    egress: 'off',
    evidence: /the kept result was changed: .*inner\/file/,
    break: () => {
      withSharedFiles()
      replace<typeof Place>('setup/setup-place.ts', () => ({
        placeDirectory: async (source, tree, name) => {
          execFileSync('cp', ['-al', source, path.join(tree, name)])
          return []
        },
      }))
    },
  },
  {
    id: 'setup-results-apart',
    without: 'the limit of the command to its files',
    egress: 'off',
    evidence: /the command saw more than its files: other/,
    break: () =>
      replace<typeof Make>('setup/make.ts', ({ makeResult }) => ({
        makeResult: (making, ...rest) => {
          const other = { path: 'other', bytes: Buffer.from('not part of the key'), isExecutable: false }
          return makeResult({ ...making, inputs: [...making.inputs, other] }, ...rest)
        },
      })),
  },
  {
    id: 'setup-results-apart',
    without: 'the files in the key',
    egress: 'off',
    evidence: /a changed lock file gave the old result/,
    break: () =>
      replace<typeof Inputs>('setup/inputs.ts', ({ setupInputs }) => ({
        setupInputs: (...args) => setupInputs(...args).map((each) => ({ ...each, bytes: Buffer.from('lock') })),
      })),
  },
  {
    id: 'host-files-not-linked',
    without: 'a separate mount for each directory',
    evidence: /second name/,
    break: () =>
      withFilesystem((entries, spec) => {
        const around = path.dirname(spec.project ?? '/')
        return entries.flatMap((each) =>
          each.kind === 'bind' && each.target === spec.project
            ? [{ kind: 'bind', source: around, target: around, access: 'rw', reason: 'project' } as const]
            : each.kind === 'bind' && each.reason === 'user'
              ? []
              : [each],
        )
      }),
  },
  {
    id: 'owner-kept',
    without: 'idmapped mounts',
    evidence: /belongs to/,
    break: () =>
      replace<typeof Staging>('cell/backends/staging.ts', ({ stage, unstaged }) => ({
        stage: (plan, own) => {
          for (const each of plan.filesystem) if (each.kind === 'bind') openTheWayTo(each.source)
          openTheWayTo(own.files)
          // Programs keep their staging: they may be under /run, where the chain has its own directory.
          const agents = stage(
            { ...plan, filesystem: plan.filesystem.filter((each) => each.kind === 'bind' && each.reason === 'agent') },
            own,
          )
          const programs = new Set(agents.stagings.map((each) => each.source))
          const plain = unstaged(own)
          return {
            stagings: agents.stagings,
            sources: { ...plain, of: (file) => (programs.has(file) ? agents.sources.of(file) : plain.of(file)) },
          }
        },
      })),
  },
  { id: 'set-id-files-not-made', without: 'the system call filter', evidence: /on the host now|the kernel accepted/, break: withoutFilter },
  {
    id: 'set-id-files-not-made',
    without: 'an init that repeats a call instead of letting the kernel carry it out',
    evidence: /the kernel accepted chmod-2755/,
    break: () =>
      replace<typeof Init>('cell/backends/cell-init.ts', ({ cellInit }) => ({
        cellInit: (...given) => {
          const made = cellInit(...given)
          // SECCOMP_USER_NOTIF_FLAG_CONTINUE
          return made && { ...made, words: made.words.map((each) => each.replace('$id, 0, -$error, 0', '$id, 0, 0, 1')) }
        },
      })),
  },
  {
    id: 'set-id-bits-cleared',
    without: 'the search at the end',
    break: () => replace<typeof Changes>('cell/trees/tree-changes.ts', () => ({ changesIn: () => Promise.resolve(null) })),
  },
  {
    id: 'start-follows-no-link',
    without: 'the checks before the start',
    break: () => {
      replace<typeof PrivateHome>('cell/trees/keep-private-home.ts', () => ({ refuseLinkedHome: () => undefined }))
      replace<typeof VerifyMounts>('cell/trees/verify-mounts.ts', () => ({ verifyMounts: () => undefined }))
    },
  },
  {
    id: 'end-follows-no-link',
    without: 'a walk that does not follow links',
    evidence: /outside of the project/,
    break: () => replace<typeof Walk>('files/walk.ts', () => ({ walk: (root) => trustingWalk(root) })),
  },
]

function withSharedFiles(): void {
  replace<typeof SharedFiles>('cell/plan/shared-files.ts', () => ({ sharedFiles: () => [] }))
}
