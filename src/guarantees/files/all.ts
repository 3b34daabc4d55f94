import type { Guarantee } from '../guarantee.ts'
import { credentialsAbsent } from './credentials-absent.ts'
import { endFollowsNoLink } from './end-follows-no-link.ts'
import { homeAbsent } from './home-absent.ts'
import { homesApart } from './homes-apart.ts'
import { hostFilesAbsent } from './host-files-absent.ts'
import { hostFilesNotLinked } from './host-files-not-linked.ts'
import { linksLeadNowhere } from './links-lead-nowhere.ts'
import { loaderGainsNothing } from './loader-gains-nothing.ts'
import { maskedFilesEmpty } from './masked-files-empty.ts'
import { nothingInherited } from './nothing-inherited.ts'
import { ownFilesAbsent } from './own-files-absent.ts'
import { ownFilesNotMountable } from './own-files-not-mountable.ts'
import { ownerKept } from './owner-kept.ts'
import { procLeadsNowhere } from './proc-leads-nowhere.ts'
import { projectsApart } from './projects-apart.ts'
import { readOnlyMounts } from './read-only-mounts.ts'
import { scratchOwn } from './scratch-own.ts'
import { setIdBitsCleared } from './set-id-bits-cleared.ts'
import { setIdFilesNotMade } from './set-id-files-not-made.ts'
import { startFollowsNoLink } from './start-follows-no-link.ts'
import { systemReadOnly } from './system-read-only.ts'

export const filesGuarantees: readonly Guarantee[] = [
  hostFilesAbsent,
  homeAbsent,
  credentialsAbsent,
  ownFilesAbsent,
  ownFilesNotMountable,
  projectsApart,
  homesApart,
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
]
