import { expect, test } from 'vitest'
import { projectsOf } from '../../web/pages/manifest/known-projects.ts'

test('a project is chosen from those in which agents work and those that the configuration lists, each once', () => {
  const manifests = [{}, { workspace: 'own' as const }, { workspace: { copy: '/p/b' } }, { workspace: { project: '/p/a' } }]
  expect(projectsOf(manifests, ['/p/b', '/p'])).toEqual(['/p/a', '/p/b', '/p'])
  expect(projectsOf([], [])).toEqual([])
})
