import * as z from 'zod'
import { machineResults } from '../machine/machine-results.ts'

const machine = {
  name: z.string(),
  address: z.string().describe('[user@]host[:port], as it was given.'),
  program: z.string().nullable().describe('The program of Paddock there. Null: a copy of this Paddock.'),
}

export const remoteResults = {
  'remote add': z.strictObject({ schemaVersion: z.literal(1), ...machine, fingerprint: z.string().describe('Of its host key.') }),
  'remote check': z.strictObject({
    schemaVersion: z.literal(1),
    ...machine,
    doctor: machineResults.doctor,
    verify: machineResults.verify.exactOptional().describe('Of --verify.'),
  }),
  'remote list': z.strictObject({ schemaVersion: z.literal(1), machines: z.array(z.strictObject(machine)) }),
  'remote remove': z.strictObject({ schemaVersion: z.literal(1), ...machine }),
}
