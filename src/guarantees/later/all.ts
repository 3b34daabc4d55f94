import type { Guarantee } from '../guarantee.ts'
import { commitsWork } from './commits-work.ts'
import { configuredPathsKept } from './configured-paths.ts'
import { disguisedRepositories } from './disguised-repositories.ts'
import { linkedPlacesRefused } from './linked-places-refused.ts'
import { laterModesFixed } from './modes-fixed.ts'
import { newOnesMovedAside } from './new-ones-moved-aside.ts'
import { laterNotLinked } from './not-linked.ts'
import { laterNotMade } from './not-made.ts'
import { laterNotRemounted } from './not-remounted.ts'
import { laterNotRemoved } from './not-removed.ts'
import { laterNotReplaced } from './not-replaced.ts'
import { laterNotWritten } from './not-written.ts'
import { otherRepositories } from './other-repositories.ts'
import { otherTrees } from './other-trees.ts'
import { ownSettingsKept } from './own-settings-kept.ts'
import { laterParentsNotReplaced } from './parents-not-replaced.ts'
import { protectionsTakenAway } from './taken-away.ts'

export const laterGuarantees: readonly Guarantee[] = [
  laterNotWritten,
  laterNotReplaced,
  laterParentsNotReplaced,
  laterNotRemoved,
  laterNotLinked,
  laterModesFixed,
  laterNotRemounted,
  laterNotMade,
  newOnesMovedAside,
  disguisedRepositories,
  protectionsTakenAway,
  linkedPlacesRefused,
  otherRepositories,
  configuredPathsKept,
  otherTrees,
  ownSettingsKept,
  commitsWork,
]
