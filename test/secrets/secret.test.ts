import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PaddockError, redact } from '../../src/base/errors.ts'
import { maskSecrets, Secret } from '../../src/secrets/secret.ts'

const word = 'hunter2/+é"\nof the canaries'

describe('a secret', () => {
  test('is its name wherever it is printed, serialised, joined or inspected', () => {
    using secret = Secret.fromText('OPENAI_API_KEY', word)
    const everywhere = [
      String(secret),
      `${secret}`,
      JSON.stringify({ secret, list: [secret] }),
      inspect(secret, { showHidden: true, depth: 9, getters: true }),
      inspect({ a: { b: [secret] } }, { showHidden: true, depth: 9 }),
      String(Object.values(secret)),
      String(Reflect.ownKeys(secret).map((key) => Reflect.get(secret, key))),
      JSON.stringify(structuredClone({ ...secret })),
      String(new Error(`the key ${secret} was refused`)),
    ]
    for (const each of everywhere) expect(each).not.toContain('hunter2')
    expect(everywhere[0]).toBe('[secret OPENAI_API_KEY]')
    expect(everywhere[2]).toBe('{"secret":"[secret OPENAI_API_KEY]","list":["[secret OPENAI_API_KEY]"]}')
    expect(everywhere[3]).toBe('[secret OPENAI_API_KEY]')
  })

  test('zeroes the bytes it was made of, and its own when disposed of, and is of no use then', () => {
    const given = Buffer.from(word)
    const secret = Secret.take('key', given)
    expect(given.every((each) => each === 0)).toBe(true)
    expect(secret.text()).toBe(word)
    const own = secret.use((bytes) => bytes)
    secret.dispose()
    expect(own.every((each) => each === 0)).toBe(true)
    expect(() => secret.text()).toThrow('[secret key] was used after it was disposed of')
    expect(maskSecrets(word)).toBe(word)
  })

  test('compares', () => {
    using a = Secret.fromText('a', word)
    using b = Secret.fromText('b', word)
    expect(a.equals(b)).toBe(true)
    expect(a.equals(Buffer.from(word))).toBe(true)
    expect(a.equals(Buffer.from(`${word}x`))).toBe(false)
    expect(a.equals(Buffer.from(word.replace('h', 'H')))).toBe(false)
    expect(a.equals(Buffer.alloc(0))).toBe(false)
  })

  test('is cut out of errors, in every spelling', () => {
    using secret = Secret.fromText('key', word)
    const spelt = [
      word,
      JSON.stringify(word),
      encodeURIComponent(word),
      Buffer.from(word).toString('hex'),
      Buffer.from(word).toString('base64'),
    ]
    for (const each of spelt) {
      const error = new PaddockError('BAD_INPUT', `the host answered ${each}`, { hint: each })
      for (const text of [error.message, error.hint ?? '', redact(each)]) {
        expect(text).toContain(secret.toString())
        expect(text).not.toMatch(/hunter2|canaries/)
      }
    }
  })

  test('is found in base64 at any offset of the encoded text', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 8, maxLength: 60 }),
        fc.uint8Array({ maxLength: 9 }),
        fc.uint8Array({ maxLength: 9 }),
        (bytes, before, after) => {
          using secret = Secret.take('key', Uint8Array.from(bytes))
          const whole = Buffer.concat([before, bytes, after])
          for (const encoding of ['base64', 'base64url', 'hex'] as const)
            expect(maskSecrets(whole.toString(encoding))).toContain(secret.toString())
        },
      ),
    )
  })
})
