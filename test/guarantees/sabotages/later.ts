import path from 'node:path'
import type * as Mounts from '../../../src/cell/backends/make-mounts.ts'
import type { FsEntry } from '../../../src/cell/plan/filesystem.ts'
import type * as GitFacts from '../../../src/cell/plan/git-facts.ts'
import type * as GitSent from '../../../src/cell/plan/git-sent.ts'
import type * as Parts from '../../../src/cell/plan/laundered/git-parts.ts'
import type * as LaunderedConfig from '../../../src/cell/plan/laundered/laundered-config.ts'
import type * as ProjectFacts from '../../../src/cell/plan/project-facts.ts'
import type * as InertMark from '../../../src/cell/plan/protected/inert-mark.ts'
import type * as RunLaterTable from '../../../src/cell/plan/protected/protected-paths.ts'
import type * as ConfigAside from '../../../src/cell/trees/config-aside.ts'
import type * as ConfigChanges from '../../../src/cell/trees/config-changes.ts'
import type * as EditorSettings from '../../../src/cell/trees/editor-settings/harmless.ts'
import type * as GitLinks from '../../../src/cell/trees/git-links.ts'
import type * as NewWorkTrees from '../../../src/cell/trees/held/new-work-trees.ts'
import type * as UserTips from '../../../src/cell/trees/held/user-tips.ts'
import type * as Contents from '../../../src/cell/trees/launder/contents.ts'
import type * as Laundry from '../../../src/cell/trees/launder/laundry.ts'
import type * as Changes from '../../../src/cell/trees/tree-changes.ts'
import type * as TreeLook from '../../../src/cell/trees/tree-look.ts'
import type * as VerifyMounts from '../../../src/cell/trees/verify-mounts.ts'
import type * as TreeNames from '../../../src/files/tree-names.ts'
import { readGitConfig } from '../../../src/git/config-syntax.ts'
import type * as GitDirectoryNames from '../../../src/git/directory-names.ts'
import type * as RemoteAddress from '../../../src/git/remote-address.ts'
import { headOf } from '../../../src/git/tips.ts'
import { gitConfigText } from '../../../src/git/write-config.ts'
import { replace, type Sabotage } from './sabotage.ts'
import { withArguments, withFilesystem, withoutFilter } from './ways.ts'

const isFor = (each: FsEntry, ...reasons: readonly string[]): boolean => each.kind === 'bind' && reasons.includes(each.reason)
const withoutMounts = (): void => withFilesystem((entries) => entries.filter((each) => !isFor(each, 'run-later', 'guard')))
const writable = (): void =>
  withFilesystem((entries) =>
    entries.map((each) => (each.kind === 'bind' && each.reason === 'run-later' ? { ...each, access: 'rw' } : each)),
  )
const withoutLook = (): void => replace<typeof Changes>('cell/trees/tree-changes.ts', () => ({ changesIn: () => Promise.resolve(null) }))
const onHost = /changed on the host/

export const laterSabotages: readonly Sabotage[] = [
  { id: 'later-not-written', without: 'read-only mounts', evidence: onHost, break: writable },
  { id: 'later-not-replaced', without: 'the mounts', evidence: onHost, break: withoutMounts },
  {
    id: 'later-parents-not-replaced',
    without: 'mount points over the parent directories',
    evidence: onHost,
    break: () => withFilesystem((entries) => entries.filter((each) => !isFor(each, 'guard'))),
  },
  { id: 'later-not-removed', without: 'the mounts', evidence: onHost, break: withoutMounts },
  { id: 'later-not-linked', without: 'the mounts', evidence: onHost, break: withoutMounts },
  { id: 'later-modes-fixed', without: 'read-only mounts', evidence: onHost, break: writable },
  {
    id: 'later-not-remounted',
    without: 'dropped capabilities and the filter',
    egress: 'off',
    break: () => {
      withoutFilter()
      // Root of the namespace that owns the mounts, without another namespace below it.
      withArguments((args) => [
        ...args
          .map((each, at) => (['--uid', '--gid'].includes(args[at - 1] ?? '') ? '0' : each))
          .filter((each) => each !== '--disable-userns'),
        ...['--cap-add', 'CAP_SYS_ADMIN'],
      ])
    },
  },
  {
    id: 'later-not-made',
    without: 'inert entries',
    evidence: /write mise/,
    break: () => {
      // The place for new submodules is mounted over the entry of `modules`.
      withFilesystem((entries) =>
        entries.filter((each) => each.kind !== 'copy' && (each.kind !== 'inert' || each.target.endsWith('/.git/modules'))),
      )
      withoutLook()
    },
  },
  {
    id: 'later-generated-hooks',
    without: 'the copies',
    evidence: onHost,
    break: () =>
      withFilesystem((entries) =>
        entries.map((each): FsEntry => (each.kind === 'copy' ? { ...each, kind: 'bind', access: 'rw', reason: 'guard' } : each)),
      ),
  },
  { id: 'later-new-ones-moved-aside', without: 'the search at the end', evidence: /still there/, break: withoutLook },
  {
    id: 'later-new-ones-moved-aside',
    without: 'the allowlist for new settings of editors',
    evidence: /still there.*escaped\/\.vscode, twice\/\.vscode, program\/\.vscode, elsewhere\/\.vscode/,
    break: () =>
      replace<typeof EditorSettings>('cell/trees/editor-settings/harmless.ts', () => ({ isHarmless: () => Promise.resolve(true) })),
  },
  { id: 'later-no-disguised-repositories', without: 'the search at the end', evidence: /git repositories on the host/, break: withoutLook },
  {
    id: 'later-no-disguised-repositories',
    without: 'commondir',
    evidence: /by-commondir/,
    break: () =>
      replace<typeof GitDirectoryNames>('git/directory-names.ts', () => ({
        looksLikeGitDirectory: (names) => ['HEAD', 'objects', 'refs'].every((each) => names.has(each)),
      })),
  },
  {
    id: 'later-no-disguised-repositories',
    without: 'the search of quarantined entries',
    evidence: /aside\/\.git\/lib\.quarantined/,
    break: () =>
      replace<typeof TreeLook>('cell/trees/tree-look.ts', ({ TreeLook }) => ({
        TreeLook: class extends TreeLook {
          override inAside = () => Promise.resolve()
        },
      })),
  },
  {
    id: 'later-no-disguised-repositories',
    without: 'the laundering of the configuration',
    evidence: /aside\/\.git/,
    break: () =>
      replace<typeof LaunderedConfig>('cell/plan/laundered/laundered-config.ts', () => ({
        launderedConfig: () => ({ text: '[core]\n\tfsmonitor = touch bad\n', removed: [] }),
      })),
  },
  {
    id: 'later-no-disguised-repositories',
    without: 'the search of git directories',
    evidence: /\.git\/x, \.git\/lfs\/y, \.git\/refs\/heads\/z/,
    break: () =>
      replace<typeof TreeLook>('cell/trees/tree-look.ts', ({ TreeLook }) => ({
        TreeLook: class extends TreeLook {
          override inGitDirectories = () => Promise.resolve()
        },
      })),
  },
  {
    id: 'later-no-disguised-repositories',
    without: 'the check of modification times in packages',
    evidence: /node_modules\/bare, \.venv\/lib\/bare, src\/__pycache__\/bare/,
    break: () => replace<typeof GitDirectoryNames>('git/directory-names.ts', () => ({ isConfiguredSince: () => false })),
  },
  {
    id: 'later-no-disguised-repositories',
    without: 'the check of link targets',
    evidence: /links of the cell/,
    break: () => replace<typeof TreeNames>('files/tree-names.ts', () => ({ linkEnd: () => '' })),
  },
  { id: 'later-laundered-repositories', without: 'the search at the end', evidence: /ran a program of the cell/, break: withoutLook },
  {
    id: 'later-laundered-repositories',
    without: 'the laundering of the configuration',
    evidence: /ran a program of the cell|changed .* elsewhere/,
    break: () =>
      replace<typeof LaunderedConfig>('cell/plan/laundered/laundered-config.ts', () => ({
        launderedConfig: (entries) => ({ text: gitConfigText(entries), removed: [] }),
      })),
  },
  {
    id: 'later-laundered-repositories',
    without: 'the check of addresses of submodules',
    evidence: /as the address of a submodule/,
    break: () => replace<typeof RemoteAddress>('git/remote-address.ts', () => ({ isFetchAddress: () => true })),
  },
  {
    id: 'later-laundered-repositories',
    without: 'the allowlist of files',
    evidence: /ran a program of the cell/,
    break: () =>
      replace<typeof Parts>('cell/plan/laundered/git-parts.ts', ({ partAt }) => ({
        partAt: (...given) => (partAt(...given) === 'remove' ? 'keep' : partAt(...given)),
      })),
  },
  {
    id: 'later-laundered-repositories',
    without: 'the check that both sides of a .git file name each other',
    evidence: /changed .* elsewhere|by-file/,
    break: () =>
      replace<typeof Laundry>('cell/trees/launder/laundry.ts', ({ Laundry }) => ({
        Laundry: class extends Laundry {
          override isGitFile = () => true
        },
      })),
  },
  {
    id: 'later-laundered-repositories',
    without: 'the check of names of refs',
    evidence: /a list of refs/,
    break: () => replace<typeof Contents>('cell/trees/launder/contents.ts', () => ({ arePackedRefs: () => true })),
  },
  {
    id: 'later-no-links-in-git',
    without: 'the recognition of git directories around links',
    evidence: /links of the cell in git directories/,
    break: () =>
      replace<typeof GitLinks>('cell/trees/git-links.ts', ({ GitAround }) => ({
        GitAround: class extends GitAround {
          override of = () => null
        },
      })),
  },
  {
    id: 'later-no-links-in-git',
    without: 'the links that were recorded at the start',
    evidence: /a link of the user/,
    break: () => replace<typeof GitLinks>('cell/trees/git-links.ts', () => ({ linksBelow: () => [] })),
  },
  {
    id: 'later-no-links-in-git',
    without: 'the check of changed directories around old links',
    evidence: /moved/,
    break: () =>
      replace<typeof GitLinks>('cell/trees/git-links.ts', ({ GitAround }) => ({
        linksBelow: () => null,
        GitAround: class extends GitAround {
          override changedBetween = () => false
        },
      })),
  },
  {
    id: 'later-protections-taken-away',
    without: 'the renewal of mounts',
    evidence: /continued without its protections/,
    break: () =>
      replace<typeof Mounts>('cell/backends/make-mounts.ts', ({ startMounter }) => ({
        startMounter: (perl) => ({ ...startMounter(perl), keep: () => () => undefined }),
      })),
  },
  {
    id: 'later-protections-taken-away',
    without: 'the comparison at the end',
    evidence: /are still there/,
    break: withoutLook,
  },
  {
    id: 'later-protections-taken-away',
    without: 'marks on inert entries',
    evidence: /a second Paddock started a cell there/,
    break: () => replace<typeof InertMark>('cell/plan/protected/inert-mark.ts', () => ({ markInert: () => undefined })),
  },
  {
    id: 'later-config-aside',
    without: 'the mount of the link',
    evidence: /changed the configuration/,
    break: () => {
      replace<typeof Mounts>('cell/backends/make-mounts.ts', ({ startMounter }) => ({
        startMounter: (perl) => {
          const mounter = startMounter(perl)
          return { ...mounter, make: (init, late) => mounter.make(init, late, []), keep: () => () => undefined }
        },
      }))
      replace<typeof VerifyMounts>('cell/trees/verify-mounts.ts', () => ({ verifyMounts: () => undefined }))
    },
  },
  {
    id: 'later-config-aside',
    without: 'the copy of the config',
    evidence: /changed the configuration/,
    break: () => withFilesystem((entries) => entries.filter((each) => each.kind !== 'bind' || path.basename(each.target) !== 'paddock')),
  },
  {
    id: 'later-config-settings',
    without: 'the choice of settings',
    evidence: /names a program or another address/,
    break: () =>
      replace<typeof ConfigChanges>('cell/trees/config-changes.ts', () => ({
        configChanges: (_, after) => ({
          taken: new Map(readGitConfig(after).entries.map(({ key, value }) => [key, [value ?? 'true']])),
          left: [],
        }),
      })),
  },
  {
    id: 'later-config-aside',
    without: 'moving the config aside',
    evidence: /git config failed/,
    break: () => replace<typeof ConfigAside>('cell/trees/config-aside.ts', () => ({ moveConfigAside: () => false })),
  },
  {
    id: 'later-links-kept',
    without: 'the mounts of links over themselves',
    evidence: onHost,
    break: () => withFilesystem((entries) => entries.filter((each) => each.kind !== 'link')),
  },
  {
    id: 'later-links-kept',
    without: 'the search for what links lead to',
    evidence: onHost,
    break: () =>
      replace<typeof ProjectFacts>('cell/plan/project-facts.ts', ({ inspectProject }) => ({
        inspectProject: (...given) => {
          const facts = inspectProject(...given)
          return { ...facts, present: facts.present.filter((each) => !each.includes('/shared/')) }
        },
      })),
  },
  {
    id: 'later-links-kept',
    without: 'the refusal of links that cannot be kept',
    evidence: /started/,
    break: () =>
      replace<typeof ProjectFacts>('cell/plan/project-facts.ts', ({ inspectProject }) => ({
        inspectProject: (...given) => ({ ...inspectProject(...given), links: [] }),
      })),
  },
  {
    id: 'later-every-repository',
    without: 'the search for repositories',
    evidence: onHost,
    break: () => replace<typeof GitFacts>('cell/plan/git-facts.ts', () => ({ gitEntries: () => undefined })),
  },
  {
    id: 'later-work-trees-apart',
    without: 'read-only mounts of the main work tree and the others',
    evidence: onHost,
    break: () => withFilesystem((entries) => entries.map((each) => (isFor(each, 'guard') ? { ...each, access: 'rw' } : each) as FsEntry)),
  },
  {
    id: 'later-held-versions',
    without: 'the record of refs at the end of a cell',
    evidence: /a later cell wrote a version that only an earlier cell committed/,
    break: () => replace<typeof UserTips>('cell/trees/held/user-tips.ts', () => ({ saveRefs: () => undefined })),
  },
  {
    id: 'later-held-versions',
    without: 'the difference between commits of the user and of a cell in a work tree that a cell added',
    evidence: /a version of its own in a work tree that it added/,
    break: () =>
      replace<typeof NewWorkTrees>('cell/trees/held/new-work-trees.ts', ({ newWorkTrees }) => ({
        newWorkTrees: (...args) => newWorkTrees(...args).map((each) => ({ ...each, tips: [headOf(each.git, each.common) ?? ''] })),
      })),
  },
  {
    id: 'later-where-git-is-sent',
    without: 'the reading of the git configuration',
    evidence: onHost,
    break: () => replace<typeof GitSent>('cell/plan/git-sent.ts', () => ({ configuredPaths: () => ({ places: [], unread: [] }) })),
  },
  {
    id: 'later-in-every-writable-tree',
    without: 'the search of other writable trees',
    evidence: onHost,
    break: () =>
      withFilesystem((entries, spec) =>
        entries.filter((each) => {
          const target = each.kind === 'inert' || isFor(each, 'run-later', 'guard') ? ('target' in each ? each.target : '') : null
          return target === null || target.startsWith(`${spec.project}/`)
        }),
      ),
  },
  {
    id: 'later-own-settings-kept',
    without: '.paddock.yaml in the list of protected paths',
    evidence: /\.paddock\.yaml was changed/,
    break: () =>
      replace<typeof RunLaterTable>('cell/plan/protected/protected-paths.ts', ({ runLaterTable }) => ({
        runLaterTable: (rows) => runLaterTable(rows).filter((each) => each.names !== '/.paddock.yaml'),
      })),
  },
  { id: 'later-git-itself', without: 'the mounts', evidence: onHost, break: withoutMounts },
]
