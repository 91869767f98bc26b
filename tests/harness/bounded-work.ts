import * as fc from 'fast-check'
import { z } from 'zod'
import { createTestApp, type TestApp } from './app.ts'
import { hostileShapes } from './hostile-json.ts'
import { type HostileRequest, hostileSizes } from './hostile-requests.ts'
import { watchLoop } from './loop-watch.ts'

/**
 * Requests of at most 1 MB, wide, deep, long and repetitive, on every path. None holds the event loop; each refusal is small and repeats nothing.
 * The limit is generous, because client and stand-ins share the process and CI is busy; `npm run prove:security -- loop` measures 50 ms.
 */
const longestHoldMs = 250
export const largestErrorBytes = 65_536

type Verdict = { readonly status: number; readonly text: string; readonly heldMs: number }

export type BoundedWork = AsyncDisposable & {
  readonly app: TestApp
  /** A manager's. */
  readonly token: string
  send(request: HostileRequest, url: string): Promise<Verdict>
  /** What is wrong with the answer to a hostile request; null if nothing is. The least hold of three tries counts. */
  faultOf(request: HostileRequest, url?: string): Promise<string | null>
  faultsOf(requests: readonly HostileRequest[], url?: string): Promise<readonly string[]>
}

const errorsSchema = z.object({
  errors: z.array(z.looseObject({ extensions: z.looseObject({ requestId: z.string().optional() }).optional() })).optional(),
  data: z.looseObject({ fields: z.array(z.unknown()).optional() }).nullish(),
})

export async function startBoundedWork(): Promise<BoundedWork> {
  const app = await createTestApp()
  const { token } = await app.signIn('manager@demo.example')
  const watch = watchLoop()
  const send: BoundedWork['send'] = async ({ method, path, headers, body }, url) => {
    const bytes = body === null ? undefined : Buffer.from(body)
    await new Promise<void>((resolve) => void setImmediate(resolve))
    watch.read()
    const response = await fetch(url + path, { method, headers, ...(bytes && { body: bytes }) })
    const text = await response.text()
    return { status: response.status, text, heldMs: watch.read().cpuMs }
  }
  const faultOf: BoundedWork['faultOf'] = async (request, url = app.url) => {
    const first = await send(request, url)
    let least = first.heldMs
    for (let tries = 0; tries < 2 && least > longestHoldMs; tries += 1) least = Math.min(least, (await send(request, url)).heldMs)
    return least > longestHoldMs ? `${request.label}: held the loop for ${Math.round(least)} ms` : faultIn(request, first)
  }
  return {
    app,
    token,
    send,
    faultOf,
    async faultsOf(requests, url) {
      const faults: string[] = []
      for (const request of requests) {
        const fault = await faultOf(request, url)
        if (fault !== null) faults.push(fault)
      }
      return faults
    },
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]()
      await app[Symbol.asyncDispose]()
    },
  }
}

function faultIn(request: HostileRequest, { status, text }: Verdict): string | null {
  if (status === 500) return `${request.label}: ${text.slice(0, 300)}`
  if (text.length > largestErrorBytes) return `${request.label}: an answer of ${text.length} bytes: ${text.slice(0, 100)}`
  const { errors, data } = status >= 400 || text.startsWith('{"errors"') ? errorsSchema.parse(JSON.parse(text || '{}')) : {}
  // What /metadata refuses, the platform has refused: at most the hundred errors of a validation, and the one that says that there are more.
  const most = request.path === '/metadata' ? 101 : 50
  const own = errors?.filter(({ extensions }) => extensions?.requestId !== undefined) ?? []
  if (own.length > most || (data?.fields?.length ?? 0) > 50) return `${request.label}: more than ${most} errors`
  return /(.)\1{400}/s.test(text) ? `${request.label}: repeats a value: ${text.slice(0, 300)}` : null
}

const texts = new Map<string, string>()
export function textOf(name: string, bytes: number): string {
  const key = `${name} ${bytes}`
  const text = texts.get(key) ?? hostileShapes.find((shape) => shape.name === name)?.text(bytes) ?? ''
  texts.set(key, text)
  return text
}

export const hostileText = fc
  .record({ name: fc.constantFrom(...hostileShapes.map(({ name }) => name)), bytes: fc.constantFrom(...hostileSizes) })
  .map(({ name, bytes }) => ({ name: `${name} (${bytes})`, text: textOf(name, bytes) }))
