import { expect, test } from 'vitest'
import { foreignText } from '../../../src/fleet/jobs/foreign-text.ts'
import { quotedData } from '../../../src/fleet/jobs/quoted-data.ts'
import type { Episode } from '../../../src/fleet/store/episodes.ts'
import type { Job, Jobs } from '../../../src/fleet/store/job-records.ts'

const prompts: Record<string, string> = {
  hook: `Look.\n\n${quotedData('another program', 'a body')}`,
  own: 'Fix it.',
  long: `${'x'.repeat(500)}\n\n${quotedData('another program', 'a body')}`,
}
const continues: Record<string, string> = { own: 'hook' }
const jobs = {
  get: (id: string) => (prompts[id] === undefined ? null : ({ id, continues: continues[id] ?? null } as Job)),
  prompt: (id: string) => prompts[id] ?? '',
} as Pick<Jobs, 'get' | 'prompt'>
const job = { id: 'j', parent: null, continues: null, requestedBy: 'me' }
const episode = (id: string, origin: string | null = null): Episode => ({
  ...{ job: id, at: '', state: 'done', answer: '', origin },
  prompt: (prompts[id] ?? '').slice(0, 500),
})

test('a job without any of it reads no foreign text', () => {
  expect(foreignText(job, [], jobs)).toEqual([])
  expect(foreignText(job, [episode('own')], jobs)).toEqual([])
})

test('a job reads text of the agent that delegated it', () => {
  expect(foreignText({ ...job, parent: 'p', requestedBy: 'agent a' }, [], jobs)).toEqual(['text of agent a'])
})

test('a job reads what the jobs that it continues have read', () => {
  expect(foreignText({ ...job, continues: 'own' }, [], jobs)).toEqual(['text of another program'])
})

test('a job reads what is in its memory, also if only the start of a prompt is', () => {
  expect(foreignText(job, [episode('hook')], jobs)).toEqual(['text of another program'])
  expect(foreignText(job, [episode('long')], jobs)).toEqual(['text of another program'])
  expect(foreignText(job, [episode('own', 'other')], jobs)).toEqual(['memory of the agent other'])
  // The job itself may have been deleted.
  expect(foreignText(job, [{ ...episode('hook'), job: 'gone' }], jobs)).toEqual(['text of another program'])
})
