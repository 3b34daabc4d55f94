import { cellsRecorded } from './audit/cells-recorded.ts'
import { linesNotForged } from './audit/lines-not-forged.ts'
import { logOutOfReach } from './audit/log-out-of-reach.ts'
import { tamperingFound } from './audit/tampering-found.ts'
import { answersCompared } from './contests/contest-answers-compared.ts'
import { nothingLiveLeft } from './contests/contest-leaves-nothing-live.ts'
import { submissionsDisarmed } from './contests/contest-submissions-disarmed.ts'
import { credentialEchoMasked } from './credentials/credential-echo-masked.ts'
import { foreignCredentialsRefused } from './credentials/foreign-credentials-refused.ts'
import { gitLoginsAbsent } from './credentials/git-logins-absent.ts'
import { namedRepositoryOnly } from './credentials/named-repository-only.ts'
import { placeholderUselessElsewhere } from './credentials/placeholder-useless-elsewhere.ts'
import { realCredentialsAbsent } from './credentials/real-credentials-absent.ts'
import { refreshTokenStays } from './credentials/refresh-token-stays.ts'
import { volumeKeepsAccount } from './credentials/volume-keeps-account.ts'
import { crashLeftoversSwept } from './endings/crash-leftovers-swept.ts'
import { killedPaddockEndsCells } from './endings/killed-paddock-ends-cells.ts'
import { nothingLeftOnTheHost } from './endings/nothing-left-on-the-host.ts'
import { nothingOutlivesItsCell } from './endings/nothing-outlives-its-cell.ts'
import { environmentScrubbed } from './environment/environment-scrubbed.ts'
import { credentialsAbsent } from './files/credentials-absent.ts'
import { endFollowsNoLink } from './files/end-follows-no-link.ts'
import { homeAbsent } from './files/home-absent.ts'
import { homeSettingsApart } from './files/home-settings-apart.ts'
import { hostFilesAbsent } from './files/host-files-absent.ts'
import { hostFilesNotLinked } from './files/host-files-not-linked.ts'
import { hostViewLeadsNowhere } from './files/host-view-leads-nowhere.ts'
import { linksLeadNowhere } from './files/links-lead-nowhere.ts'
import { loaderGainsNothing } from './files/loader-gains-nothing.ts'
import { maskedFilesEmpty } from './files/masked-files-empty.ts'
import { nothingInherited } from './files/nothing-inherited.ts'
import { ownFilesAbsent } from './files/own-files-absent.ts'
import { ownFilesNotMountable } from './files/own-files-not-mountable.ts'
import { ownerKept } from './files/owner-kept.ts'
import { homesApart } from './files/private-homes-apart.ts'
import { procLeadsNowhere } from './files/proc-leads-nowhere.ts'
import { projectsApart } from './files/projects-apart.ts'
import { readOnlyMounts } from './files/read-only-mounts-stay-so.ts'
import { setIdBitsCleared } from './files/set-id/set-id-bits-cleared.ts'
import { setIdFilesNotMade } from './files/set-id/set-id-files-not-made.ts'
import { setupResultsApart } from './files/setup-results-apart.ts'
import { sharedFilesApart } from './files/shared-files-apart.ts'
import { startFollowsNoLink } from './files/start-follows-no-link.ts'
import { systemReadOnly } from './files/system-read-only.ts'
import { scratchOwn } from './files/temporary-files-own.ts'
import { pausedFleetStartsNothing } from './fleet/paused-fleet-starts-nothing.ts'
import { unapprovedManifestsNotUsed } from './fleet/unapproved-manifests-not-used.ts'
import type { Chapter, Guarantee } from './guarantee.ts'
import { foreignCallsKilled } from './kernel/foreign-calls-killed.ts'
import { callsClosed } from './kernel/kernel-calls-closed.ts'
import { kernelFilesClosed } from './kernel/kernel-files-closed.ts'
import { noMounts } from './kernel/no-mounts.ts'
import { noNewNamespaces } from './kernel/no-new-namespaces.ts'
import { noPrivileges } from './kernel/no-privileges.ts'
import { socketFamiliesClosed } from './kernel/socket-families-closed.ts'
import { configAside } from './later/later-config-aside.ts'
import { configSettings } from './later/later-config-settings.ts'
import { otherRepositories } from './later/later-every-repository.ts'
import { generatedHooks } from './later/later-generated-hooks.ts'
import { commitsWork } from './later/later-git-itself.ts'
import { heldVersions } from './later/later-held-versions.ts'
import { otherTrees } from './later/later-in-every-writable-tree.ts'
import { launderedRepositories } from './later/later-laundered-repositories.ts'
import { protectedLinksKept } from './later/later-links-kept.ts'
import { laterModesFixed } from './later/later-modes-fixed.ts'
import { newOnesMovedAside } from './later/later-new-ones-moved-aside.ts'
import { disguisedRepositories } from './later/later-no-disguised-repositories.ts'
import { noLinksInGit } from './later/later-no-links-in-git.ts'
import { laterNotLinked } from './later/later-not-linked.ts'
import { laterNotMade } from './later/later-not-made.ts'
import { laterNotRemounted } from './later/later-not-remounted.ts'
import { laterNotRemoved } from './later/later-not-removed.ts'
import { laterNotReplaced } from './later/later-not-replaced.ts'
import { laterNotWritten } from './later/later-not-written.ts'
import { ownSettingsKept } from './later/later-own-settings-kept.ts'
import { laterParentsNotReplaced } from './later/later-parents-not-replaced.ts'
import { protectionsTakenAway } from './later/later-protections-taken-away.ts'
import { configuredPathsKept } from './later/later-where-git-is-sent.ts'
import { workTreesApart } from './later/later-work-trees-apart.ts'
import { connectionsLimited } from './limits/connections-limited.ts'
import { diskGrowthLimited } from './limits/disk-growth-limited.ts'
import { memoryLimited } from './limits/memory-limited.ts'
import { memoryPlacesLimited } from './limits/memory-places-limited.ts'
import { oneFileLimited } from './limits/one-file-limited.ts'
import { outputHeldBack } from './limits/output-held-back.ts'
import { processesLimited } from './limits/processes-limited.ts'
import { processorsLimited } from './limits/processors-limited.ts'
import { silenceLimited } from './limits/silence-limited.ts'
import { timeLimited } from './limits/time-limited.ts'
import { deniedNamesNotResolved } from './names/denied-names-not-resolved.ts'
import { hostHeaderMustMatch } from './names/host-header-must-match.ts'
import { internalNamesRefused } from './names/internal-names-refused.ts'
import { namesOnlyThroughGateway } from './names/names-only-through-the-gateway.ts'
import { rebindingRefused } from './names/rebinding-refused.ts'
import { serverNameMustMatch } from './names/server-name-must-match.ts'
import { hostAddressesUnreachable } from './network/host-addresses-unreachable.ts'
import { hostLoopbackUnreachable } from './network/host-loopback-unreachable.ts'
import { internalAddressesUnreachable } from './network/internal-addresses-unreachable.ts'
import { networkSettingsFixed } from './network/network-settings-fixed.ts'
import { noWayOut } from './network/no-way-out-but-the-gateway.ts'
import { siblingsUnreachable } from './network/siblings-unreachable.ts'
import { unlistedPortsRefused } from './network/unlisted-ports-refused.ts'
import { controlGroupsClosed } from './processes/control-groups-closed.ts'
import { abstractSocketsOwn } from './processes/host-abstract-sockets-unreachable.ts'
import { hostNamesAbsent } from './processes/host-names-absent.ts'
import { hostProcessesInvisible } from './processes/host-processes-invisible.ts'
import { hostProcessesUntouchable } from './processes/host-processes-untouchable.ts'
import { hostSocketsAbsent } from './processes/host-sockets-absent.ts'
import { keyRingsClosed } from './processes/key-rings-closed.ts'
import { modelToolsInTheCell } from './processes/model-tools-in-the-cell.ts'
import { posixIpcOwn } from './processes/posix-ipc-own.ts'
import { initUntampered } from './processes/processes-not-traced.ts'
import { projectSocketsCovered } from './processes/project-sockets-covered.ts'
import { siblingProcessesInvisible } from './processes/sibling-processes-invisible.ts'
import { systemVOwn } from './processes/system-v-ipc-own.ts'
import { ambiguousRequestsRefused } from './requests/ambiguous-requests-refused.ts'
import { answerFitsOneQuestion } from './requests/answer-fits-one-question.ts'
import { authorityConstrained } from './requests/authority-constrained.ts'
import { authorityKeyAbsent } from './requests/authority-key-absent.ts'
import { deniedRequestsNeverArrive } from './requests/denied-requests-never-arrive.ts'
import { noAnswerIsNo } from './requests/no-answer-is-no.ts'
import { secretsNotLogged } from './requests/secrets-not-logged.ts'
import { uninspectedStaysEncrypted } from './requests/uninspected-stays-encrypted.ts'
import { inputIsReadOnly } from './terminal/input-is-read-only.ts'
import { keysStayInTheCell } from './terminal/keys-stay-in-the-cell.ts'
import { noTerminalOfYours } from './terminal/no-terminal-of-yours.ts'
import { ownLinesClean } from './terminal/own-lines-clean.ts'
import { copyLeavesProject } from './trust/copy-leaves-project.ts'
import { mergeShowsLater } from './trust/merge-shows-later.ts'
import { projectFileFixed } from './trust/project-file-fixed.ts'
import { projectFileNeedsTrust } from './trust/project-file-needs-trust.ts'
import { reviewRunsNothing } from './trust/review-runs-nothing.ts'

/** Chapters with their guarantees, in the order of the document. */
export const chapters: Readonly<Record<Chapter, { readonly title: string; readonly guarantees: readonly Guarantee[] }>> = {
  files: {
    title: 'Files',
    guarantees: [
      hostFilesAbsent,
      homeAbsent,
      hostViewLeadsNowhere,
      credentialsAbsent,
      ownFilesAbsent,
      ownFilesNotMountable,
      projectsApart,
      sharedFilesApart,
      homesApart,
      homeSettingsApart,
      setupResultsApart,
      scratchOwn,
      linksLeadNowhere,
      procLeadsNowhere,
      nothingInherited,
      loaderGainsNothing,
      systemReadOnly,
      readOnlyMounts,
      maskedFilesEmpty,
      hostFilesNotLinked,
      ownerKept,
      setIdFilesNotMade,
      setIdBitsCleared,
      startFollowsNoLink,
      endFollowsNoLink,
    ],
  },
  later: {
    title: 'Files that run later',
    guarantees: [
      laterNotWritten,
      laterNotReplaced,
      laterParentsNotReplaced,
      laterNotRemoved,
      laterNotLinked,
      laterModesFixed,
      laterNotRemounted,
      laterNotMade,
      generatedHooks,
      newOnesMovedAside,
      disguisedRepositories,
      launderedRepositories,
      noLinksInGit,
      protectionsTakenAway,
      protectedLinksKept,
      otherRepositories,
      workTreesApart,
      configAside,
      configSettings,
      heldVersions,
      configuredPathsKept,
      otherTrees,
      ownSettingsKept,
      commitsWork,
    ],
  },
  environment: { title: 'Environment and credentials', guarantees: [environmentScrubbed] },
  processes: {
    title: 'Processes',
    guarantees: [
      hostProcessesInvisible,
      hostProcessesUntouchable,
      siblingProcessesInvisible,
      initUntampered,
      systemVOwn,
      posixIpcOwn,
      hostSocketsAbsent,
      projectSocketsCovered,
      abstractSocketsOwn,
      keyRingsClosed,
      hostNamesAbsent,
      controlGroupsClosed,
      modelToolsInTheCell,
    ],
  },
  network: {
    title: 'Network',
    guarantees: [
      noWayOut,
      hostLoopbackUnreachable,
      hostAddressesUnreachable,
      internalAddressesUnreachable,
      siblingsUnreachable,
      unlistedPortsRefused,
      networkSettingsFixed,
    ],
  },
  names: {
    title: 'Names and plaintext',
    guarantees: [
      deniedNamesNotResolved,
      internalNamesRefused,
      rebindingRefused,
      serverNameMustMatch,
      hostHeaderMustMatch,
      namesOnlyThroughGateway,
    ],
  },
  requests: {
    title: 'Inspected requests and questions',
    guarantees: [
      deniedRequestsNeverArrive,
      ambiguousRequestsRefused,
      uninspectedStaysEncrypted,
      authorityKeyAbsent,
      authorityConstrained,
      secretsNotLogged,
      noAnswerIsNo,
      answerFitsOneQuestion,
    ],
  },
  credentials: {
    title: 'Placeholders for credentials',
    guarantees: [
      realCredentialsAbsent,
      gitLoginsAbsent,
      placeholderUselessElsewhere,
      namedRepositoryOnly,
      refreshTokenStays,
      volumeKeepsAccount,
      credentialEchoMasked,
      foreignCredentialsRefused,
    ],
  },
  kernel: {
    title: 'Kernel',
    guarantees: [noPrivileges, noNewNamespaces, noMounts, callsClosed, socketFamiliesClosed, foreignCallsKilled, kernelFilesClosed],
  },
  limits: {
    title: 'Limits',
    guarantees: [
      processesLimited,
      memoryLimited,
      memoryPlacesLimited,
      processorsLimited,
      oneFileLimited,
      diskGrowthLimited,
      timeLimited,
      silenceLimited,
      outputHeldBack,
      connectionsLimited,
    ],
  },
  endings: { title: 'Endings', guarantees: [nothingOutlivesItsCell, killedPaddockEndsCells, nothingLeftOnTheHost, crashLeftoversSwept] },
  terminal: { title: 'Terminal', guarantees: [noTerminalOfYours, keysStayInTheCell, inputIsReadOnly, ownLinesClean] },
  contests: { title: 'Contests', guarantees: [submissionsDisarmed, answersCompared, nothingLiveLeft] },
  audit: { title: 'Audit', guarantees: [cellsRecorded, logOutOfReach, linesNotForged, tamperingFound] },
  trust: {
    title: 'Settings and copies',
    guarantees: [projectFileNeedsTrust, projectFileFixed, copyLeavesProject, reviewRunsNothing, mergeShowsLater],
  },
  fleet: {
    title: 'Fleets',
    guarantees: [unapprovedManifestsNotUsed, pausedFleetStartsNothing],
  },
}

/** All guarantees, in the order of the document. */
export const guarantees: readonly Guarantee[] = Object.values(chapters).flatMap((each) => each.guarantees)
