import path from 'node:path'
import { printableName } from '../../base/text.ts'
import { readRegular } from '../../files/read-regular.ts'

const maxBytes = 64 * 1024

/** The content of a check's reward file: a number from 0 to 1, no file, or an invalid one. */
export type Reward =
  | { readonly kind: 'none' }
  | { readonly kind: 'given'; readonly reward: number }
  | { readonly kind: 'bad'; readonly why: string }

/** Reads reward.txt (a number) or, without it, reward.json (`{"reward": number}`) from the reward directory of a check. */
export async function readReward(directory: string): Promise<Reward> {
  for (const [name, read] of [
    ['reward.txt', fromText],
    ['reward.json', fromJson],
  ] as const) {
    const file = await readRegular(path.join(directory, name), maxBytes)
    if (!file.ok && file.why === 'missing') continue
    const reward = file.ok ? read(file.bytes.toString('utf8')) : null
    if (reward === null)
      return { kind: 'bad', why: `${name} is not a number from 0 to 1${file.ok ? `: ${shown(file.bytes.toString('utf8'))}` : ''}` }
    return { kind: 'given', reward }
  }
  return { kind: 'none' }
}

function fromText(text: string): number | null {
  return /^\s*(?:0|1|0?\.\d+|[01]\.\d+)\s*$/.test(text) ? inRange(Number(text)) : null
}

function fromJson(text: string): number | null {
  try {
    const value = JSON.parse(text) as unknown
    if (typeof value !== 'object' || value === null || Object.keys(value).join() !== 'reward') return null
    return inRange((value as { reward: unknown }).reward)
  } catch {
    return null
  }
}

function inRange(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : null
}

function shown(text: string): string {
  return printableName(text.trim().slice(0, 40))
}
