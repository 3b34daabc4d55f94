import { describe, expect, test } from 'vitest'
import { placeholderFor, placeholderToken, randomLetters } from '../../../src/egress/placeholder/placeholder.ts'
import { holds, swap } from '../../../src/egress/placeholder/swap.ts'
import { Secret } from '../../../src/secrets/secret.ts'

const placeholder = 'sk-standinstandinstandin'
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const request = (headers: readonly (readonly [string, string])[], target = '/') => ({ target, headers })

describe('a placeholder is swapped only in its own place', () => {
  const bearer = { kind: 'header', name: 'Authorization', scheme: 'Bearer' } as const
  const header = { kind: 'header', name: 'x-api-key' } as const
  const password = { kind: 'basic', part: 'password' } as const
  const query = { kind: 'query', name: 'key' } as const
  const done = (given: ReturnType<typeof request>, place: Parameters<typeof swap>[1]) => {
    using secret = Secret.fromText('key', 'real')
    return swap(given, place, [placeholder, 'older-stand-in'], secret)
  }

  test('a header, with its scheme if it has one', () => {
    expect(done(request([['authorization', `Bearer ${placeholder}`]]), bearer).headers).toEqual([['authorization', 'Bearer real']])
    expect(done(request([['AUTHORIZATION', 'bearer  older-stand-in ']]), bearer).headers).toEqual([['AUTHORIZATION', 'Bearer real']])
    expect(done(request([['X-Api-Key', placeholder]]), header).headers).toEqual([['X-Api-Key', 'real']])
    for (const value of [
      placeholder,
      `Token ${placeholder}`,
      `Bearer ${placeholder}x`,
      `Bearer x ${placeholder}`,
      `Bearer "${placeholder}"`,
      `Bearer ${placeholder},${placeholder}`,
    ])
      expect(done(request([['Authorization', value]]), bearer).headers).toEqual([['Authorization', value]])
    for (const value of [`x${placeholder}`, `Bearer ${placeholder}`, ''])
      expect(done(request([['x-api-key', value]]), header).headers).toEqual([['x-api-key', value]])
  })

  test('not in a header that is present twice: readers differ in which one counts', () => {
    const twice = request([
      ['x-api-key', placeholder],
      ['x-api-key', placeholder],
    ])
    expect(done(twice, header)).toEqual(twice)
  })

  test('the user or the password of Basic', () => {
    expect(done(request([['Authorization', basic(`x-access-token:${placeholder}`)]]), password).headers).toEqual([
      ['Authorization', basic('x-access-token:real')],
    ])
    const user = request([['Authorization', basic(`${placeholder}:x`)]])
    expect(done(user, password)).toEqual(user)
    expect(done(user, { kind: 'basic', part: 'user' }).headers).toEqual([['Authorization', basic('real:x')]])
  })

  test('a parameter of the query', () => {
    expect(done(request([], `/a?b=1&key=${placeholder}&c`), query).target).toBe('/a?b=1&key=real&c')
    for (const target of [`/a?keys=${placeholder}`, `/a?key=${placeholder}&key=1`, `/key=${placeholder}`, `/a?key=x${placeholder}`])
      expect(done(request([], target), query).target).toBe(target)
    using odd = Secret.fromText('key', 'a&b=c d')
    expect(swap(request([], `/a?key=${placeholder}`), query, [placeholder], odd).target).toBe('/a?key=a%26b%3Dc%20d')
  })

  test('a secret that no header can hold is refused by name', () => {
    using secret = Secret.fromText('key', 'two\nlines')
    expect(() => swap(request([['x-api-key', placeholder]]), header, [placeholder], secret)).toThrow(
      '[secret key] cannot be sent in a header: it is empty, or contains a line break or another control character.',
    )
  })

  test('a text without a placeholder is unchanged', () => {
    expect(holds(request([['x-api-key', 'real']]), header, [placeholder])).toBe(false)
    expect(holds(request([['x-api-key', placeholder]]), header, [placeholder])).toBe(true)
    expect(holds(request([['x-api-key', '']]), header, [])).toBe(false)
  })
})

test('placeholders have the vendor’s shape and nothing of the secret', () => {
  const real = 'sk-ant-api03-REALREALREALREALREALREALREALREALREALREALREALREAL-realreal'
  const made = placeholderFor(real)
  expect(made).toMatch(/^sk-ant-api03-[A-Za-z0-9]+$/)
  expect(made).toHaveLength(real.length)
  expect(made.slice(13)).not.toContain('REALREAL')
  expect(placeholderFor('short')).toMatch(/^[A-Za-z0-9]{32}$/)
  expect(placeholderFor(`sk-${'x'.repeat(4_000)}`)).toHaveLength(259)
  expect(new Set(Array.from({ length: 1_000 }, () => randomLetters(32))).size).toBe(1_000)
  const [head = '', claims = '', signature] = placeholderToken({ sub: 'me', exp: 4 }).split('.')
  expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ alg: 'RS256', typ: 'JWT' })
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ sub: 'me', exp: 4 })
  expect(signature).toMatch(/^[A-Za-z0-9]{86}$/)
})
