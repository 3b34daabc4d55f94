import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { githubSource } from '../../ci/github.ts'
import { gitlabSource } from '../../ci/gitlab.ts'
import { temporary } from '../support/temporary.ts'

const pull = (name: string | null): object => ({ pull_request: { head: { repo: name === null ? null : { full_name: name } } } })

test.each([
  ['push', {}, false],
  ['pull_request', pull('o/r'), false],
  ['pull_request', pull('other/r'), true],
  ['pull_request', pull(null), true],
  ['pull_request_target', pull('other/r'), true],
  ['pull_request_review_comment', pull('other/r'), true],
  ['workflow_run', { workflow_run: { head_repository: { full_name: 'other/r' } } }, true],
  ['workflow_run', { workflow_run: { head_repository: { full_name: 'o/r' } } }, false],
  ['pull_request', {}, true],
  ['pull_request', null, true],
  ['schedule', null, false],
])('GitHub: the event %s with %j is of a fork: %s', async (name, event, isFork) => {
  await using at = await temporary()
  const file = at.at('event.json')
  if (event !== null) writeFileSync(file, JSON.stringify(event))
  const source = githubSource({ GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: file, GITHUB_REPOSITORY: 'o/r' })
  expect(source.isFork).toBe(isFork)
})

test.each([
  [{ CI_PROJECT_ID: '1' }, false],
  [{ CI_PROJECT_ID: '1', CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '1' }, false],
  [{ CI_PROJECT_ID: '1', CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '2' }, true],
  [{ CI_PROJECT_ID: '1', CI_PIPELINE_SOURCE: 'merge_request_event' }, true],
])('GitLab: %j is a fork: %s', (env, isFork) => {
  expect(gitlabSource(env).isFork).toBe(isFork)
})
