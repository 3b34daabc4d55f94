import { expect, test } from 'vitest'
import { manifestSchema } from '../../../src/fleet/manifest/manifest-schema.ts'
import { manifestRequest } from '../../../src/fleet/manifest/request-of-manifest.ts'

test('a manifest becomes the request of its runs, and what is wrong is named by its key', () => {
  const manifest = manifestSchema.parse({
    name: 'echo',
    agent: 'command',
    command: ['sh', '-c', 'cat'],
    egress: { allow: ['example.com'] },
    limits: { memory: '1GiB' },
  })
  const request = manifestRequest(manifest)
  expect(request).toMatchObject({ agent: 'command', command: ['sh', '-c', 'cat'], terminal: false, limits: { memory: 1024 ** 3 } })
  expect(request.egress.allow[0]?.origin).toEqual({ place: 'egress.allow[0]', from: 'caller' })
  expect(() => manifestRequest({ ...manifest, egress: { allow: ['example.com', 'http://x y'] } })).toThrow(/^egress\.allow\[1\]/)
})
