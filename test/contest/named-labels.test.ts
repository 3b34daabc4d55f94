import { expect, test } from 'vitest'
import { withNamedLabels } from '../../src/contest/report/named-labels.ts'

const labels = { A: 'evil', B: 'nice', I: 'third' }

test.each([
  ['B is faster than A.', 'B [nice] is faster than A [evil].'],
  ['A good idea, and I like it.', 'A good idea, and I like it.'],
  ['Submission A fails; B passes.', 'Submission A [evil] fails; B [nice] passes.'],
  ['**A**: clean. B’s tests pass, A’s do not.', '**A [evil]**: clean. B [nice]’s tests pass, A [evil]’s do not.'],
  ['A, B and I: equal', 'A [evil], B [nice] and I [third]: equal'],
  ['The ABI and B-trees', 'The ABI and B-trees'],
  ['(A) `B`', '(A [evil]) `B [nice]`'],
])('%s', (text, named) => {
  expect(withNamedLabels(text, labels)).toBe(named)
})

test('a text of a judge without labels stays as it is', () => {
  expect(withNamedLabels('B is best', {})).toBe('B is best')
})
