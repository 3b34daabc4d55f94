import type { Guarantee } from '../guarantee.ts'
import { credentialEchoMasked } from './credential-echo-masked.ts'
import { foreignCredentialsRefused } from './foreign-credentials-refused.ts'
import { realCredentialsAbsent } from './real-credentials-absent.ts'
import { refreshTokenStays } from './refresh-token-stays.ts'
import { standInUselessElsewhere } from './stand-in-useless-elsewhere.ts'

export const credentialsGuarantees: readonly Guarantee[] = [
  realCredentialsAbsent,
  standInUselessElsewhere,
  refreshTokenStays,
  credentialEchoMasked,
  foreignCredentialsRefused,
]
