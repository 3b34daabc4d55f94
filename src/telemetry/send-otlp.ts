import { messageOf } from '../base/errors.ts'
import { outFetch } from '../egress/upstream/out-fetch.ts'
import type { Telemetry } from './current-telemetry.ts'
import { protobufOf } from './otlp-protobuf.ts'

/** Sends traces and metrics. Returns why something was not sent, in a few words; null: the collector has all of it. Never rejects. */
export async function sendOtlp(
  { settings, headers }: Telemetry,
  bodies: { readonly traces: unknown; readonly metrics?: unknown },
): Promise<string | null> {
  const signal = AbortSignal.timeout(settings.timeoutMs)
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`the collector did not answer within ${settings.timeoutMs / 1000} s`)), {
      once: true,
    })
  })
  const send = async (): Promise<void> => {
    const own = await headers()
    await Promise.all(
      (['traces', 'metrics'] as const).map(async (path) => {
        const body = bodies[path]
        if (body === undefined) return
        const [type, bytes] =
          settings.encoding === 'json' ? ['application/json', JSON.stringify(body)] : ['application/x-protobuf', protobufOf(path, body)]
        const answer = await outFetch(`${settings.endpoint.value}/v1/${path}`, {
          method: 'POST',
          headers: { ...own, 'content-type': type },
          body: bytes,
          redirect: 'manual',
          signal,
        })
        await answer.body?.cancel()
        if (!answer.ok) throw new Error(`the collector answered with the status ${answer.status}`)
      }),
    )
  }
  try {
    await Promise.race([send(), late])
    return null
  } catch (error) {
    const cause = (error as { cause?: unknown }).cause
    return messageOf(cause instanceof Error && cause.message !== '' ? cause : error)
  }
}
