import fc from 'fast-check'
import { expect, test } from 'vitest'
import { topicRefusal, topicsSchema } from '../../../src/fleet/leases/topics.ts'

test('deny takes precedence over allow, and without allow everything else is let in', () => {
  const topics = { allow: ['invoice', '^bill'], deny: ['pass(word|phrase)'] }
  expect(topicRefusal('Sort this INVOICE.', topics)).toBeNull()
  expect(topicRefusal('Billing', topics)).toBeNull()
  expect(topicRefusal('Print the Password of the invoice.', topics)).toBe('deny has pass(word|phrase)')
  expect(topicRefusal('Write a poem.', topics)).toBe('nothing in allow matches it (invoice, ^bill)')
  expect(topicRefusal('Write a poem.', { deny: ['x'] })).toBeNull()
  expect(topicRefusal('ÄRGER', { deny: ['ärger'] })).toBe('deny has ärger')
  expect(topicRefusal('STRASSE 🦊', { deny: ['^.{9}$'] })).toBe('deny has ^.{9}$')
})

test.each([['^(a+)+$'], ['(a+a+)+b'], ['^(([a-z])+.)+[A-Z]0([a-z])+$']])(
  'the pattern %s on a text that is made for it refuses the text, and the server goes on',
  (slow) => {
    const text = `${'a'.repeat(100)}!`
    expect(topicRefusal(text, { deny: ['never', slow, slow, slow] })).toBe(`${slow} of deny takes too long on it`)
    expect(topicRefusal(text, { allow: [slow, 'a'] })).toBe(`${slow} of allow takes too long on it`)
    expect(topicRefusal(text, { allow: ['a', slow] })).toBeNull()
  },
)

test('a plain word on any text is found exactly where the text has it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), fc.boolean(), (text, isThere) => {
      const whole = isThere ? `${text} quince ${text}` : text.replaceAll(/quince/giu, '')
      expect(topicRefusal(whole, { deny: ['quince'] }) === null).toBe(!isThere)
      expect(topicRefusal(whole, { allow: ['quince'] }) === null).toBe(isThere)
    }),
    { numRuns: 200 },
  )
})

test('an invalid regular expression is refused with its place', () => {
  const parsed = topicsSchema.safeParse({ allow: ['fine', '(open'], deny: ['\\u{110000}'] })
  expect(parsed.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['allow.1', 'must be a regular expression of JavaScript: Unterminated group'],
    ['deny.0', expect.stringMatching(/^must be a regular expression of JavaScript: Invalid/)],
  ])
  for (const wrong of [{}, { allow: [] }, { deny: [''] }, { deny: ['x'.repeat(501)] }, { forbid: ['x'] }])
    expect(topicsSchema.safeParse(wrong).success).toBe(false)
})
