import type { Inside } from '../probe/inside.ts'

/** Interfaces of the cell besides loopback, and routes that leave it. Both must be empty if there is no real network. */
export interface WaysOut {
  readonly interfaces: readonly string[]
  readonly routes: readonly string[]
}

/** Returns everything that could carry a packet out of the cell (proc(5): net/dev, net/route, net/ipv6_route). Runs in the cell. */
export const waysOut = ({ fs }: Inside): WaysOut => {
  const lines = (file: string): string[] => fs.readFileSync(file, 'utf8').split('\n')
  const named = lines('/proc/net/dev').flatMap((line) => /^\s*([^:\s]+):/.exec(line)?.[1] ?? [])
  const four = lines('/proc/net/route')
    .slice(1)
    .filter((line) => line !== '' && !line.startsWith('lo\t'))
  const six = lines('/proc/net/ipv6_route').filter((line) => line !== '' && !/\blo$/.test(line.trim()))
  return { interfaces: named.filter((each) => each !== 'lo'), routes: [...four, ...six] }
}
