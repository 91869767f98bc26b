import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type Client, createClient, tokensOf } from '../stage/client.ts'
import type { Figure } from '../stage/report.ts'
import { setStage, type Stage } from '../stage/stage.ts'

type Asking = { readonly method?: string; readonly body?: unknown; readonly as?: number }

/** A service, its stand-ins and members who are signed in. */
export type Desk = AsyncDisposable & {
  readonly stage: Stage
  readonly client: Client
  readonly url: string
  /** `as`: the number of the member, from 0. */
  ask(path: string, asking?: Asking): Promise<Answer>
  /** Whether the breaker of this party is open. */
  isPaused(party: string): Promise<boolean>
}

export async function openDesk(members: readonly string[], agents = 0): Promise<Desk> {
  await using opening = new AsyncDisposableStack()
  const stage = opening.use(await setStage({ agents }))
  const { url } = await stage.service('embedded', { METRICS_FROM: 'loopback' })
  const client = opening.use(createClient())
  const tokens: string[] = []
  for (const member of members) tokens.push(tokensOf(await client.logIn(url, member)).accessToken)
  const opened = opening.move()
  return {
    stage,
    client,
    url,
    ask: (path, { method = 'POST', body, as = 0 } = {}) =>
      client.send(url + path, { method, body, headers: { authorization: `Bearer ${tokens[as % tokens.length] ?? ''}` } }),
    async isPaused(party) {
      const metrics = await (await fetch(`${url}/metrics`)).text()
      return metrics.includes(`sidecar_upstreams_paused{party="${party}"} 1`)
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Sends a request every so many milliseconds, whether the others are answered or not. */
export async function everyMs(ms: number, seconds: number, send: (index: number) => Promise<Answer>): Promise<readonly Answer[]> {
  const underWay: Promise<Answer>[] = []
  for (const end = performance.now() + seconds * 1_000; performance.now() < end;) {
    underWay.push(send(underWay.length))
    await delay(ms)
  }
  return Promise.all(underWay)
}

/** Milliseconds until a request works. Throws after a minute. */
export async function untilGood(send: () => Promise<Answer>, isGood: (answer: Answer) => boolean): Promise<number> {
  const startedAt = performance.now()
  for (let answer = await send(); !isGood(answer); answer = await send()) {
    if (performance.now() - startedAt > 60_000) throw new Error(`it does not recover: ${JSON.stringify(answer)}`)
    await delay(100)
  }
  return performance.now() - startedAt
}

/** Milliseconds since then until the party gets no requests; infinite if it still does after `giveUpMs`. */
export async function untilPaused(desk: Desk, party: string, { since = performance.now(), giveUpMs = 20_000 } = {}): Promise<number> {
  while (performance.now() - since < giveUpMs) {
    if (await desk.isPaused(party)) return performance.now() - since
    await delay(100)
  }
  return Number.POSITIVE_INFINITY
}

export function recovered(claim: string, ms: number): Figure {
  return { claim: `${claim}: until a request works`, figure: `${(ms / 1_000).toFixed(1)} s`, holds: ms <= 10_000 }
}
