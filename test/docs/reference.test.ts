import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { clientTypes } from '../../scripts/reference/openapi.ts'
import { clientFile, guaranteesFile, referenceDirectory, referenceFiles, verifiedRuns } from '../../scripts/reference.ts'
import { safeNameRule } from '../../src/files/safe-name.ts'
import { guaranteesDocument } from '../../src/guarantees/guarantee-document.ts'
import { promisedUnder } from '../../src/guarantees/verify.ts'

const files = await referenceFiles()

describe('docs/reference', () => {
  it('has the files that npm run reference makes, and no other', () => {
    expect(readdirSync(referenceDirectory).sort()).toEqual([...files.keys()].sort())
  })

  it.each([...files])('%s is what npm run reference makes', (name, text) => {
    expect(readFileSync(path.join(referenceDirectory, name), 'utf8')).toBe(text)
  })

  it('and docs/GUARANTEES.md are made from the code', () => {
    expect(readFileSync(guaranteesFile, 'utf8')).toBe(guaranteesDocument(verifiedRuns()))
  })

  it('and docs/verified has runs of guarantees that are promised where they ran', () => {
    const runs = verifiedRuns()
    for (const { posture, egress, user, statuses } of runs) {
      const promised = promisedUnder(egress, posture).map(({ id }) => id)
      expect(
        Object.keys(statuses).filter((each) => !promised.includes(each)),
        `${posture} ${egress} ${user}`,
      ).toEqual([])
      expect(Object.entries(statuses).filter(([, status]) => status === 'broken')).toEqual([])
    }
  })

  it('and the types of the client are made from the OpenAPI document', async () => {
    expect(readFileSync(clientFile, 'utf8')).toBe(await clientTypes(JSON.parse(files.get('openapi.json') ?? '{}')))
  })
})

it('6: the reference of contest.yaml says which characters a name may have', () => {
  const text = files.get('contest-yaml.md') ?? ''
  expect(text).toContain(`A _name_ has ${safeNameRule}`)
  expect(text).toContain('| **`name`** | name |')
})
