import { expect, test } from 'vitest'
import { guarantees } from '../../src/guarantees/all.ts'
import { auditSabotages } from './sabotages/audit.ts'
import { credentialsSabotages } from './sabotages/credentials.ts'
import { endingsSabotages } from './sabotages/endings.ts'
import { environmentSabotages } from './sabotages/environment.ts'
import { filesSabotages } from './sabotages/files.ts'
import { kernelSabotages } from './sabotages/kernel.ts'
import { laterSabotages } from './sabotages/later.ts'
import { limitsSabotages } from './sabotages/limits.ts'
import { namesSabotages } from './sabotages/names.ts'
import { networkSabotages } from './sabotages/network.ts'
import { processesSabotages } from './sabotages/processes.ts'
import { publicSabotages } from './sabotages/public.ts'
import { requestsSabotages } from './sabotages/requests.ts'
import { terminalSabotages } from './sabotages/terminal.ts'
import { trustSabotages } from './sabotages/trust.ts'
import { seesItBroken } from './sees-it-broken.ts'

const sabotages = [
  ...filesSabotages,
  ...laterSabotages,
  ...processesSabotages,
  ...environmentSabotages,
  ...networkSabotages,
  ...namesSabotages,
  ...kernelSabotages,
  ...limitsSabotages,
  ...endingsSabotages,
  ...terminalSabotages,
  ...auditSabotages,
  ...requestsSabotages,
  ...credentialsSabotages,
  ...trustSabotages,
]

seesItBroken(sabotages)

test('every guarantee has a sabotage', () => {
  const broken = new Set([...sabotages, ...publicSabotages].map((each) => each.id))
  expect(guarantees.map((each) => each.id).filter((id) => !broken.has(id))).toEqual([])
})
