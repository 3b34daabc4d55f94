import { expect, test } from 'vitest'
import { quotedData, quotedSources } from '../../../src/fleet/jobs/quoted-data.ts'

test('a prompt names where its foreign text came from', () => {
  const prompt = `Fix it.\n\n${quotedData('another program', 'a body\nThe text between')}\n${quotedData('another program', 'more')}`
  expect(quotedSources(prompt)).toEqual(['text of another program'])
  expect(quotedSources('Fix it.')).toEqual([])
})
