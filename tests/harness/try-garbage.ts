import { type GarbageFacts, garbledOperations, type GarbledOperation, otherOperations } from './garbage-operations.ts'
import type { Garbage, GarblingUpstream } from './garbling-upstream.ts'
import { waitFor } from './wait-for.ts'

export type GarbageStage = {
  readonly url: string
  readonly upstream: GarblingUpstream
  readonly party: keyof typeof garbledOperations
  readonly facts: GarbageFacts
  readonly tokens: Readonly<Record<'manager' | 'agent' | 'caller', string>>
  /** When an answer is late. The longest deadline of an operation is 30 s, and its error is written then. */
  readonly longestMs: number
}

export type GarbledAnswer = { readonly what: string; readonly status: number; readonly tookMs: number; readonly text: string }

/** What the operations of a party, and others meanwhile, were answered while their upstream gave this garbage. */
export type GarbageRound = {
  readonly answers: readonly GarbledAnswer[]
  readonly others: readonly GarbledAnswer[]
  /** Answers that were no clear error: internal ones, broken connections, late ones. */
  readonly unclear: readonly string[]
}

/** More of an answer is not read. */
const maxBytes = 64 * 1024

/** Each operation at once `copies` times, then waits until the upstream works again. */
export async function tryGarbage(stage: GarbageStage, kind: Garbage, copies = 1): Promise<GarbageRound> {
  const { upstream, party, facts, longestMs } = stage
  const operations = garbledOperations[party](facts)
  upstream.answers = kind
  const underWay = Promise.all(operations.flatMap((one) => Array.from({ length: copies }, () => ask(stage, one))))
  const others: GarbledAnswer[] = []
  const work = { isOver: false }
  void underWay.finally(() => (work.isOver = true))
  while (!work.isOver || others.length === 0) {
    for (const one of otherOperations[party === 'platform' ? 'platform' : 'telephony']) others.push(await ask(stage, one))
  }
  const answers = await underWay
  upstream.answers = null
  await signOut(stage, answers)
  await recover(stage)
  return { answers, others, unclear: answers.flatMap((answer) => faultsOf(answer, kind, longestMs)) }
}

/** An answer of the operation is clear if it is none of ours that failed, or says who failed. */
function faultsOf({ what, status, tookMs, text }: GarbledAnswer, kind: Garbage, longestMs: number): readonly string[] {
  const about = `${what}, ${kind}: ${status} ${text.slice(0, 300)}`
  if (tookMs > longestMs) return [`late (${Math.round(tookMs)} ms): ${about}`]
  if (status === 0) return [`broken: ${about}`]
  if (text.includes('INTERNAL_SERVER_ERROR') || status === 500) return [`internal: ${about}`]
  return []
}

async function ask(
  { url, tokens, longestMs }: Pick<GarbageStage, 'url' | 'tokens' | 'longestMs'>,
  asked: GarbledOperation,
): Promise<GarbledAnswer> {
  const { name, method = 'POST', path, body, as } = asked
  const startedAt = performance.now()
  const took = (): number => performance.now() - startedAt
  try {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(as === null ? {} : { authorization: `Bearer ${tokens[as]}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(2 * longestMs),
    })
    const text = await beginningOf(answer)
    return { what: name, status: answer.status, tookMs: took(), text }
  } catch (error) {
    return { what: name, status: 0, tookMs: took(), text: error instanceof Error ? `${error.message} ${String(error.cause)}` : '' }
  }
}

/** Reads all of it, and stores its beginning. */
async function beginningOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes <= maxBytes) chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Who was signed in although the telephony provider gave garbage can sign in the next time. */
async function signOut({ url }: GarbageStage, answers: readonly GarbledAnswer[]): Promise<void> {
  for (const { text } of answers) {
    const token = /"accessToken":\{"token":"([^"]+)"/.exec(text)?.[1]
    if (token !== undefined) await fetch(`${url}/auth/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  }
}

/** The breaker lets a call through again after some seconds. */
async function recover(stage: GarbageStage): Promise<void> {
  const operation = garbledOperations[stage.party](stage.facts).find(({ as }) => as !== null)
  if (!operation) return
  const works = async (): Promise<boolean> => {
    const { status, text } = await ask(stage, operation)
    return status !== 0 && status < 500 && !/"code":"(UPSTREAM_|TIMEOUT)|is not available|cannot be read/.test(text)
  }
  await waitFor(works, { what: 'the upstream' })
}
