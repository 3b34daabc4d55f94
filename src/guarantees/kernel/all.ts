import type { Guarantee } from '../guarantee.ts'
import { callsClosed } from './calls-closed.ts'
import { foreignCallsKilled } from './foreign-calls-killed.ts'
import { kernelFilesClosed } from './kernel-files-closed.ts'
import { noMounts } from './no-mounts.ts'
import { noNewNamespaces } from './no-new-namespaces.ts'
import { noPrivileges } from './no-privileges.ts'
import { socketFamiliesClosed } from './socket-families-closed.ts'

export const kernelGuarantees: readonly Guarantee[] = [
  noPrivileges,
  noNewNamespaces,
  noMounts,
  callsClosed,
  socketFamiliesClosed,
  foreignCallsKilled,
  kernelFilesClosed,
]
