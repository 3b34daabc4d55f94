import type { Manifest } from './manifest-schema.ts'

/** What replaces a value that is not shown. */
const hidden = '…'

/**
 * Returns a manifest without the values in which people put secrets: those of variables, headers, arguments, and everything in URLs after
 * the host. Names stay: of variables, headers, options, programs and hosts.
 */
export function withoutValues(manifest: Manifest): Manifest {
  const { env, command, args, baseUrl, fallbacks, mcp } = manifest
  return {
    ...manifest,
    ...(env === undefined ? {} : { env: env.map((each) => `${each.slice(0, each.indexOf('='))}=${hidden}`) }),
    ...(command === undefined ? {} : { command: commandNames(command) }),
    ...(args === undefined ? {} : { args: args.map(optionName) }),
    ...(baseUrl === undefined ? {} : { baseUrl: hostOnly(baseUrl) }),
    ...(fallbacks === undefined
      ? {}
      : { fallbacks: fallbacks.map((each) => ({ ...each, ...(each.baseUrl === undefined ? {} : { baseUrl: hostOnly(each.baseUrl) }) })) }),
    ...(mcp === undefined ? {} : { mcp: Object.fromEntries(Object.entries(mcp).map(([name, server]) => [name, serverNames(server)])) }),
  }
}

/** Returns a URL without its user, path, query and fragment. */
export function hostOnly(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}/${hidden}`
}

type McpServer = NonNullable<Manifest['mcp']>[string]

function serverNames(server: McpServer): McpServer {
  if ('url' in server) return { url: hostOnly(server.url), ...(server.headers === undefined ? {} : { headers: keys(server.headers) }) }
  return { command: commandNames(server.command), ...(server.env === undefined ? {} : { env: keys(server.env) }) }
}

function commandNames([program = '', ...rest]: readonly string[]): string[] {
  return [program, ...rest.map(optionName)]
}

/** Returns the name of an option: `--token=X` and `-pX` have values, other arguments are values. */
function optionName(argument: string): string {
  const name = /^(?:--[a-z][a-z0-9-]{0,40}(?==|$)|-[A-Za-z](?=.|$))/i.exec(argument)?.[0]
  if (name === undefined) return hidden
  return name === argument ? name : `${name}${name.startsWith('--') ? '=' : ''}${hidden}`
}

function keys(record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(record).map((key) => [key, hidden]))
}
