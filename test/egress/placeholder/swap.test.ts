import { describe, expect, test } from 'vitest'
import { randomLetters, standInFor, standInToken } from '../../../src/egress/placeholder/stand-in.ts'
import { holds, swap } from '../../../src/egress/placeholder/swap.ts'
import { Secret } from '../../../src/secrets/secret.ts'

const standIn = 'sk-standinstandinstandin'
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const request = (headers: readonly (readonly [string, string])[], target = '/') => ({ target, headers })

describe('a placeholder is swapped in its own place alone', () => {
  const bearer = { kind: 'header', name: 'Authorization', scheme: 'Bearer' } as const
  const header = { kind: 'header', name: 'x-api-key' } as const
  const password = { kind: 'basic', part: 'password' } as const
  const query = { kind: 'query', name: 'key' } as const
  const done = (given: ReturnType<typeof request>, place: Parameters<typeof swap>[1]) => {
    using secret = Secret.fromText('key', 'real')
    return swap(given, place, [standIn, 'older-stand-in'], secret)
  }

  test('a header, with its scheme where there is one', () => {
    expect(done(request([['authorization', `Bearer ${standIn}`]]), bearer).headers).toEqual([['authorization', 'Bearer real']])
    expect(done(request([['AUTHORIZATION', 'bearer  older-stand-in ']]), bearer).headers).toEqual([['AUTHORIZATION', 'Bearer real']])
    expect(done(request([['X-Api-Key', standIn]]), header).headers).toEqual([['X-Api-Key', 'real']])
    for (const value of [
      standIn,
      `Token ${standIn}`,
      `Bearer ${standIn}x`,
      `Bearer x ${standIn}`,
      `Bearer "${standIn}"`,
      `Bearer ${standIn},${standIn}`,
    ])
      expect(done(request([['Authorization', value]]), bearer).headers).toEqual([['Authorization', value]])
    for (const value of [`x${standIn}`, `Bearer ${standIn}`, ''])
      expect(done(request([['x-api-key', value]]), header).headers).toEqual([['x-api-key', value]])
  })

  test('not in a header that stands there twice: who reads which is anybody’s guess', () => {
    const twice = request([
      ['x-api-key', standIn],
      ['x-api-key', standIn],
    ])
    expect(done(twice, header)).toEqual(twice)
  })

  test('the user or the password of Basic', () => {
    expect(done(request([['Authorization', basic(`x-access-token:${standIn}`)]]), password).headers).toEqual([
      ['Authorization', basic('x-access-token:real')],
    ])
    const user = request([['Authorization', basic(`${standIn}:x`)]])
    expect(done(user, password)).toEqual(user)
    expect(done(user, { kind: 'basic', part: 'user' }).headers).toEqual([['Authorization', basic('real:x')]])
  })

  test('a parameter of the query', () => {
    expect(done(request([], `/a?b=1&key=${standIn}&c`), query).target).toBe('/a?b=1&key=real&c')
    for (const target of [`/a?keys=${standIn}`, `/a?key=${standIn}&key=1`, `/key=${standIn}`, `/a?key=x${standIn}`])
      expect(done(request([], target), query).target).toBe(target)
    using odd = Secret.fromText('key', 'a&b=c d')
    expect(swap(request([], `/a?key=${standIn}`), query, [standIn], odd).target).toBe('/a?key=a%26b%3Dc%20d')
  })

  test('a secret that no header can hold is refused by name', () => {
    using secret = Secret.fromText('key', 'two\nlines')
    expect(() => swap(request([['x-api-key', standIn]]), header, [standIn], secret)).toThrow(
      '[secret key] cannot be sent in a header: it is empty, or holds a line break or another odd character',
    )
  })

  test('what no placeholder is stays what it is', () => {
    expect(holds(request([['x-api-key', 'real']]), header, [standIn])).toBe(false)
    expect(holds(request([['x-api-key', standIn]]), header, [standIn])).toBe(true)
    expect(holds(request([['x-api-key', '']]), header, [])).toBe(false)
  })
})

test('placeholders have the vendor’s shape and nothing of the secret', () => {
  const real = 'sk-ant-api03-REALREALREALREALREALREALREALREALREALREALREALREAL-realreal'
  const made = standInFor(real)
  expect(made).toMatch(/^sk-ant-api03-[A-Za-z0-9]+$/)
  expect(made).toHaveLength(real.length)
  expect(made.slice(13)).not.toContain('REAL')
  expect(standInFor('short')).toMatch(/^[A-Za-z0-9]{32}$/)
  expect(standInFor(`sk-${'x'.repeat(4_000)}`)).toHaveLength(259)
  expect(new Set(Array.from({ length: 1_000 }, () => randomLetters(32))).size).toBe(1_000)
  const [head = '', claims = '', signature] = standInToken({ sub: 'me', exp: 4 }).split('.')
  expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ alg: 'RS256', typ: 'JWT' })
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ sub: 'me', exp: 4 })
  expect(signature).toMatch(/^[A-Za-z0-9]{86}$/)
})
