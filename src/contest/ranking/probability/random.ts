/**
 * Returns a generator of numbers in [0, 1) that depend only on `seed`, an integer (Mulberry32 by Tommy Ettinger). Draws are therefore
 * repeatable. Never use it for anything that must be unpredictable.
 */
export function seeded(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
