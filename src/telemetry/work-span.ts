import { AsyncLocalStorage } from 'node:async_hooks'
import { PaddockError } from '../base/errors.ts'
import { addSend, telemetry } from './current-telemetry.ts'
import type { Attributes } from './otlp-json.ts'
import { sendSpans } from './send-spans.ts'
import { contextIn, newContext, type TraceContext } from './trace-context.ts'

const storage = new AsyncLocalStorage<TraceContext>()

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the span of the work that the caller is part of; null: it is not part of any (`inSpan`). */
export function currentWork(): TraceContext | null {
  return storage.getStore() ?? null
}

/** Returns the span below which new ones are: that of the current work, or that of the program that started Paddock. */
export function parentSpan(env: Environment): TraceContext | null {
  return currentWork() ?? contextIn(env)
}

/**
 * Runs `act` as one span, below which all cells are that it starts, and sends the span after its end. Without telemetry, only runs it.
 * `notice` is called with the first failure to send of this process.
 */
export async function inSpan<T>(
  work: { readonly name: string; readonly attributes: Attributes },
  { env, notice }: { readonly env: Environment; readonly notice: (line: string) => void },
  act: () => Promise<T>,
): Promise<T> {
  const current = telemetry()
  if (current === null) return await act()
  const parent = parentSpan(env)
  const context = newContext(parent)
  const startedAt = Date.now()
  const end = (error: string | null): void => {
    if (!context.isSampled) return
    const attributes = { ...work.attributes, 'error.type': error ?? undefined }
    const { spanId } = context
    const span = { spanId, parent: parent?.spanId ?? null, kind: 'internal', startedAt, endedAt: Date.now(), error } as const
    addSend(sendSpans(current, notice, context, [{ ...span, name: work.name, attributes }]))
  }
  try {
    const result = await storage.run(context, act)
    end(null)
    return result
  } catch (error) {
    end(error instanceof PaddockError ? error.code : '_OTHER')
    throw error
  }
}
