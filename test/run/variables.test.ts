import { expect, test } from 'vitest'
import type { Origin } from '../../src/config/request/request.ts'
import { variablesOf } from '../../src/run/variables.ts'

const from = (value: string, who: Origin['from']) => ({ value, origin: { place: 'here', from: who } })
const env = { TOKEN: 'real' }

test('a project that names a variable does not undo the value that its user gave it', () => {
  expect(variablesOf([from('TOKEN=dummy', 'user'), from('TOKEN', 'project')], env)).toEqual({ TOKEN: 'dummy' })
  expect(variablesOf([from('TOKEN', 'project')], env)).toEqual({ TOKEN: 'real' })
  expect(variablesOf([from('TOKEN', 'project'), from('TOKEN=mine', 'caller')], env)).toEqual({ TOKEN: 'mine' })
})

test('a name that is not set is an error of the caller, and of no configuration', () => {
  expect(variablesOf([from('UNSET', 'user'), from('UNSET', 'project')], env)).toEqual({})
  expect(() => variablesOf([from('UNSET', 'caller')], env)).toThrow('here: UNSET is not set in your environment.')
})
