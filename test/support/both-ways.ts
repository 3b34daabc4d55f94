import type { Duplex } from 'node:stream'
import type { Transport } from '../../src/cell/places/eager-duplex.ts'

/** Returns a stream as the transport of both directions. */
export const bothWays = (each: Duplex): Transport => ({ readable: each, writable: each })
