import fc from 'fast-check'
import { expect, test } from 'vitest'
import { credentialModes, namedVolume, parseCredentialWay } from '../../src/credentials/credential-way.ts'

test('a mode, or a volume by its name', () => {
  for (const mode of credentialModes) expect(parseCredentialWay(mode)).toEqual({ mode, volume: null })
  expect(parseCredentialWay('volume:work-2')).toEqual({ mode: 'volume', volume: 'work-2' })
  for (const each of ['', 'volume:', 'volume:..', 'volume:a/b', 'volume:A', 'Volume', 'none:x', ' none'])
    expect(parseCredentialWay(each)).toBeNull()
})

test('no text becomes a volume whose name could leave its directory, and the schema of contests says the same', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((each) => `volume:${each}`),
      ),
      (text) => {
        const way = parseCredentialWay(text)
        if (way?.volume != null) expect(way.volume).toMatch(/^[a-z0-9][a-z0-9-]*$/)
        expect(way?.volume != null).toBe(namedVolume.test(text))
      },
    ),
  )
})
