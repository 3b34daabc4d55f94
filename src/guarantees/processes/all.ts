import type { Guarantee } from '../guarantee.ts'
import { abstractSocketsOwn } from './abstract-sockets-own.ts'
import { controlGroupsClosed } from './control-groups-closed.ts'
import { hostNamesAbsent } from './host-names-absent.ts'
import { hostProcessesInvisible } from './host-processes-invisible.ts'
import { hostProcessesUntouchable } from './host-processes-untouchable.ts'
import { hostSocketsAbsent } from './host-sockets-absent.ts'
import { initUntampered } from './init-untampered.ts'
import { keyRingsClosed } from './key-rings-closed.ts'
import { posixIpcOwn } from './posix-ipc-own.ts'
import { projectSocketsCovered } from './project-sockets-covered.ts'
import { siblingProcessesInvisible } from './sibling-processes-invisible.ts'
import { systemVOwn } from './system-v-ipc-own.ts'

export const processesGuarantees: readonly Guarantee[] = [
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
]
