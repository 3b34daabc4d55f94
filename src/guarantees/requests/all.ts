import type { Guarantee } from '../guarantee.ts'
import { ambiguousRequestsRefused } from './ambiguous-requests-refused.ts'
import { answerFitsOneQuestion } from './answer-fits-one-question.ts'
import { authorityConstrained } from './authority-constrained.ts'
import { authorityKeyAbsent } from './authority-key-absent.ts'
import { deniedRequestsNeverArrive } from './denied-requests-never-arrive.ts'
import { noAnswerIsNo } from './no-answer-is-no.ts'
import { secretsNotLogged } from './secrets-not-logged.ts'
import { uninspectedStaysEncrypted } from './uninspected-stays-encrypted.ts'

export const requestsGuarantees: readonly Guarantee[] = [
  deniedRequestsNeverArrive,
  ambiguousRequestsRefused,
  uninspectedStaysEncrypted,
  authorityKeyAbsent,
  authorityConstrained,
  secretsNotLogged,
  noAnswerIsNo,
  answerFitsOneQuestion,
]
