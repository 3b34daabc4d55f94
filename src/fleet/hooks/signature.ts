import { createHmac, timingSafeEqual } from 'node:crypto'

/** The most seconds by which the time of a delivery may differ from the server's. */
export const windowSeconds = 300

/** Returns the HMAC-SHA-256 (RFC 2104) of the time (seconds since the epoch), a dot and the body, in hexadecimal. */
export function signatureOf(secret: string, time: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')
}

export interface Delivery {
  readonly time: string
  readonly signature: string
  readonly body: Uint8Array
}

/** Returns whether a delivery was signed with this secret, and recently. `now`: milliseconds since the epoch. */
export function isSigned(secret: string, { time, signature, body }: Delivery, now: number): boolean {
  const expected = Buffer.from(signatureOf(secret, time, body))
  const given = Buffer.from(signature)
  const isSame = given.length === expected.length && timingSafeEqual(given, expected)
  return isSame && /^\d{1,12}$/.test(time) && Math.abs(now / 1000 - Number(time)) <= windowSeconds
}
