import type { App } from '../server-deps.ts'

/** `/api/v1/openapi.json`: the document that clients are generated from. */
export function openApiRoutes(app: App): void {
  app.get('/api/v1/openapi.json', { config: { role: 'public' }, schema: { hide: true } }, async () => app.swagger())
}
